// Calls the hook as OpenClaw's gateway does; argument: the handler.
import { writeFileSync } from "node:fs"
const { default: handler } = await import(process.argv[2])
writeFileSync("MEMORY.md", "renewed")
const file = { name: "MEMORY.md", path: "MEMORY.md", content: "old" }
const other = { name: "USER.md", path: "USER.md", content: "mine" }
await handler({ type: "agent", action: "bootstrap", messages: [], context: {
  sessionId: "s", bootstrapFiles: [file, other, { name: "MEMORY.md", missing: true }] } })
await handler({ type: "command", action: "new", context: {
  senderId: "123", previousSessionEntry: { sessionId: "before", token: "x" } } })
await handler({ type: "message", action: "received" })
await handler(undefined)
console.log(JSON.stringify([file.content, other.content]))
