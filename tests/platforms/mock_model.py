"""A model server on loopback that answers every client with one invented sentence."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SAID = "Token bucket it is."


def anthropic() -> list[tuple[str, dict[str, object]]]:
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [],
        "model": "mock",
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 9, "output_tokens": 1},
    }
    delta = {"type": "text_delta", "text": SAID}
    end = {"stop_reason": "end_turn", "stop_sequence": None}
    events = [
        {"type": "message_start", "message": message},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "text", "text": ""},
        },
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ]
    return [(str(event["type"]), event) for event in events]


def responses() -> list[tuple[str, dict[str, object]]]:
    item = {
        "type": "message",
        "role": "assistant",
        "id": "m1",
        "status": "completed",
        "content": [{"type": "output_text", "text": SAID, "annotations": []}],
    }
    usage = {"input_tokens": 9, "output_tokens": 5, "total_tokens": 14}
    done = {"id": "r1", "status": "completed", "output": [item], "usage": usage}
    events = [
        {"type": "response.created", "response": {"id": "r1"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": done},
    ]
    return [(str(event["type"]), event) for event in events]


def gemini() -> list[tuple[str, dict[str, object]]]:
    content = {"role": "model", "parts": [{"text": SAID}]}
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 5, "totalTokenCount": 14}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    return [("", {"candidates": [candidate], "usageMetadata": usage})]


def chat() -> list[tuple[str, dict[str, object]]]:
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    first = {"index": 0, "delta": {"role": "assistant", "content": SAID}}
    last = {"index": 0, "delta": {}, "finish_reason": "stop"}
    return [("", {**base, "choices": [first]}), ("", {**base, "choices": [last]})]


class Handler(BaseHTTPRequestHandler):
    """Streams the answer in the shape that the path asks for."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        self.server.bodies.append(body.decode("utf-8", "replace"))  # type: ignore[attr-defined]
        path = self.path.partition("?")[0]
        if path.endswith("/messages"):
            events = anthropic()
        elif path.endswith("/responses"):
            events = responses()
        elif path.endswith("/chat/completions"):
            events = chat()
        else:
            events = gemini()
        self.send_response(200)
        streams = ":generateContent" not in path
        kind = "text/event-stream" if streams else "application/json"
        self.send_header("content-type", kind)
        self.send_header("connection", "close")
        self.end_headers()
        if not streams:
            self.wfile.write(json.dumps(events[0][1]).encode())
            return
        for name, event in events:
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {json.dumps(event)}\n\n".encode())
        if path.endswith("/chat/completions"):
            self.wfile.write(b"data: [DONE]\n\n")

    def do_GET(self) -> None:
        self.send_response(404)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: what the clients ask is in `bodies`."""


@contextmanager
def model() -> Iterator[tuple[str, list[str]]]:
    """The server's address and the bodies of the requests it has got so far."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.bodies = bodies = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", bodies
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
