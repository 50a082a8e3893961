// Calls the plugin as OpenCode does; argument: the plugin.
import { setTimeout } from "node:timers/promises"
const { Hipogit } = await import(process.argv[2])
const tool = { type: "tool", tool: "bash", state: { output: "x".repeat(9000), metadata: 1 } }
const messages = [
  { info: { id: "m1", role: "user" }, parts: [{ type: "text", text: "first" }] },
  { info: { id: "m2", role: "assistant" }, parts: [tool] },
]
const client = { session: {
  get: async ({ path }) => ({ data: { parentID: path.id === "sub" ? "s" : undefined } }),
  messages: async () => ({ data: messages }),
} }
const hooks = await Hipogit({ client, directory: process.cwd() })
const parts = [{ type: "text", text: "hello" }, { type: "text", text: "no", synthetic: true }]
await hooks["chat.message"]({ sessionID: "s", messageID: "m3" }, { parts })
const one = { system: ["base"] }, two = { system: [] }, sub = { system: [] }, gone = {}
const transform = hooks["experimental.chat.system.transform"]
await Promise.all([transform({ sessionID: "s" }, one), transform({ sessionID: "s" }, two)])
await transform({ sessionID: "sub" }, sub)
await transform({ sessionID: "s" }, gone)
await transform(undefined, undefined)
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s" } } })
messages.push({ info: { id: "m3", role: "user" }, parts: [{ type: "text", text: "next" }] })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s" } } })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "sub" } } })
await hooks.event({ event: { type: "tui.toast.show", properties: {} } })
await hooks["experimental.session.compacting"]({ sessionID: "s" }, { context: [] })
await hooks.event({ event: { type: "session.compacted", properties: { sessionID: "s" } } })
await setTimeout(600)
console.log(JSON.stringify({ one, two, sub }))
