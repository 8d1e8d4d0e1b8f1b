"""A small HTTP server on loopback that notes what it is sent: another's ntfy, or a program with a webhook."""

import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver:
    """Requests are in `requests`; `say` has it answer otherwise first, one status a request."""

    def __init__(self):
        self.requests, self.statuses = queue.Queue(), queue.Queue()
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
