// Memory for this project, kept in git. Written by `hipogit init`, taken out by
// `hipogit uninstall`. Nothing here waits on the user interface's thread: hipogit runs
// as a process of its own, and when it is missing or slow the session goes on without.
import { spawn } from "node:child_process"

const PATIENCE = 5000
const SHOWN = 200

// Runs one hook; resolves to the context it answers with, or "".
const ask = (event, payload, cwd) =>
  new Promise((resolve) => {
    let said = ""
    try {
      const child = spawn("hipogit", ["hook", "opencode", event], {
        cwd,
        stdio: ["pipe", "pipe", "ignore"],
        timeout: PATIENCE,
      })
      child.on("error", () => resolve(""))
      child.stdin.on("error", () => {})
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (part) => (said += part))
      child.on("close", () => {
        try {
          const { context } = JSON.parse(said)
          resolve(typeof context === "string" ? context : "")
        } catch {
          resolve("")
        }
      })
      child.stdin.end(JSON.stringify(payload))
    } catch {
      resolve("")
    }
  })

// Hands one event over and goes on as soon as the other side has it.
const tell = (event, payload, cwd) =>
  new Promise((resolve) => {
    try {
      const child = spawn("hipogit", ["hook", "opencode", event], {
        cwd,
        detached: true,
        stdio: ["pipe", "ignore", "ignore"],
      })
      child.on("error", () => resolve())
      child.stdin.on("error", () => resolve())
      child.stdin.end(JSON.stringify(payload), () => resolve())
      child.unref()
    } catch {
      resolve()
    }
  })

// A part without what memory never keeps: long outputs, images, bookkeeping.
const slim = (part) => {
  if (part.type === "tool") {
    const state = part.state ?? {}
    const output = typeof state.output === "string" ? state.output.slice(0, SHOWN) : ""
    return { ...part, state: { ...state, output, metadata: undefined } }
  }
  if (part.type === "file") return { ...part, url: "" }
  return part
}

const words = (parts) =>
  parts
    .filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
    .map((part) => part.text)
    .join("\n")

// A name that a later version drops, or a shape it changes, must not stop a session.
const guarded = (hook) => async (input, output) => {
  try {
    await hook(input ?? {}, output ?? {})
  } catch {
    // Memory is missing for this once; `hipogit status` shows that nothing arrived.
  }
}

export const Hipogit = async ({ client, directory }) => {
  const index = new Map() // session -> what was put before the model
  const hints = new Map() // session -> what its last prompt brought up
  const reached = new Map() // session -> last message handed over
  const parents = new Map() // session -> whether it is a subagent's

  const isChild = async (id) => {
    if (!parents.has(id)) {
      const found = await client.session.get({ path: { id } })
      parents.set(id, Boolean(found?.data?.parentID))
    }
    return parents.get(id)
  }

  // The session since the turn that was handed over last, in the export's format.
  const recent = async (id) => {
    const found = await client.session.messages({ path: { id } })
    const all = found?.data ?? []
    let from = all.findIndex((message) => message.info.id === reached.get(id))
    while (from > 0 && all[from].info.role !== "user") from -= 1
    if (all.length) reached.set(id, all[all.length - 1].info.id)
    const messages = all
      .slice(Math.max(from, 0))
      .map(({ info, parts }) => ({ info, parts: parts.map(slim) }))
    return { info: { id, directory }, messages }
  }

  const ended = async (event, name, id) => {
    if (await isChild(id)) return
    await tell(name, { event, directory, export: await recent(id) }, directory)
  }

  return {
    event: guarded(async ({ event }) => {
      const properties = event?.properties ?? {}
      const id = properties.sessionID ?? properties.info?.id
      if (!id) return
      if (event.type === "session.created") {
        parents.set(id, Boolean(properties.info?.parentID))
      } else if (event.type === "session.idle") {
        await ended(event, "stop", id)
      } else if (event.type === "session.compacted") {
        index.delete(id)
        await ended(event, "post-compact", id)
      } else if (event.type === "session.deleted") {
        for (const map of [index, hints, reached, parents]) map.delete(id)
      }
    }),

    "chat.message": guarded(async (input, output) => {
      const id = input.sessionID
      const prompt = words(output.parts ?? [])
      if (!id || !prompt || (await isChild(id))) return
      const asked = { sessionID: id, messageID: input.messageID }
      hints.set(id, ask("prompt", { input: asked, prompt, directory }, directory))
    }),

    "experimental.chat.system.transform": guarded(async (input, output) => {
      const id = input.sessionID
      if (!id || !Array.isArray(output.system) || (await isChild(id))) return
      // The promise is kept, not the text: a title is asked for at the same time.
      if (!index.has(id)) {
        const asked = { sessionID: id }
        index.set(id, ask("session-start", { input: asked, directory }, directory))
      }
      for (const text of [await index.get(id), await hints.get(id)]) {
        if (text) output.system.push(text)
      }
    }),

    "experimental.session.compacting": guarded(async (input) => {
      const id = input.sessionID
      if (!id || (await isChild(id))) return
      const messages = await recent(id)
      await tell("pre-compact", { input: { sessionID: id }, directory, export: messages }, directory)
    }),
  }
}
