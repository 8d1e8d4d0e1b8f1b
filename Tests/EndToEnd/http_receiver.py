"""A small HTTP server on loopback that notes what it is sent: another's ntfy, a program with a webhook, or a forge."""

import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver:
    """Requests are in `requests`; `say` has it answer otherwise first, one status a request; `content` is what a GET of it has,
    by path."""

    def __init__(self):
        self.requests, self.statuses, self.content = queue.Queue(), queue.Queue(), {}
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                try:
                    status = receiver.statuses.get_nowait()
                except queue.Empty:
                    status = 200
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()
                receiver.requests.put(self)

            def do_GET(self):
                body = json.dumps(receiver.content.get(self.path)).encode()
                self.send_response(200 if self.path in receiver.content else 404)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                receiver.requests.put(self)

            def log_message(self, *_):
                pass

            @property
            def json(self):
                return json.loads(self.body)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def say(self, *statuses):
        for status in statuses:
            self.statuses.put(status)

    def next(self, within=20):
        return self.requests.get(timeout=within)

    def close(self):
        self.server.shutdown()
        self.server.server_close()
