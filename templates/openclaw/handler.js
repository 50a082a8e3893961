// Memory for this workspace, kept in git. Written by `hipogit init`.
import { spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const PATIENCE = 10000
const EVENTS = {
  "agent:bootstrap": "session-start",
  "session:compact:before": "pre-compact",
  "session:compact:after": "post-compact",
  "command:new": "session-end",
  "command:reset": "session-end",
  "session:auto-reset": "session-end",
}
const workspace = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..")

// The gateway has no time limit for hooks, so this one brings its own.
const run = (name, payload, cwd) =>
  new Promise((done) => {
    try {
      const child = spawn("hipogit", ["hook", "openclaw", name], {
        cwd,
        stdio: ["pipe", "ignore", "ignore"],
        timeout: PATIENCE,
      })
      child.on("error", () => done())
      child.on("close", () => done())
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(payload))
    } catch {
      done()
    }
  })

const only = (entry) => (entry?.sessionId ? { sessionId: entry.sessionId } : undefined)

// MEMORY.md may have been read before our block in it was renewed.
const reread = async (files) => {
  for (const file of Array.isArray(files) ? files : []) {
    if (file.name === "MEMORY.md" && typeof file.content === "string") {
      file.content = await readFile(file.path, "utf8")
    }
  }
}

export default async function hipogit(event) {
  const name = EVENTS[`${event?.type}:${event?.action}`]
  if (!name) return
  const context = event.context ?? {}
  const folder = context.workspaceDir ?? workspace
  // Of all that the gateway tells, memory needs no sender and no file contents.
  const payload = {
    type: event.type,
    action: event.action,
    timestamp: event.timestamp,
    context: {
      workspaceDir: folder,
      sessionId: context.sessionId,
      reason: context.reason,
      sessionEntry: only(context.sessionEntry),
      previousSessionEntry: only(context.previousSessionEntry),
    },
  }
  try {
    await run(name, payload, folder)
    if (name === "session-start") await reread(context.bootstrapFiles)
  } catch {
    // The session starts with the block as it was.
  }
}
