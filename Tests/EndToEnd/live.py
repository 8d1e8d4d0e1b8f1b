"""The page's WebSocket, held by a test."""

import json
import threading

import websocket


class Live:
    def __init__(self, hub, resume=None, origin=None, authorized=True):
        self.url = f"ws://127.0.0.1:{hub.port}/api/live" + (f"?resume={resume}" if resume else "")
        self.options = {"origin": origin or hub.url, "timeout": 10}
        if authorized:
            self.options["header"] = [f"Authorization: Bearer {hub.token}"]

    def __enter__(self):
        self.socket = websocket.create_connection(self.url, **self.options)
        assert self.next()["type"] == "hello"
        return self

    def next(self):
        while True:
            code, data = self.socket.recv_data()
            if code == websocket.ABNF.OPCODE_TEXT:
                return json.loads(data)
            if code == websocket.ABNF.OPCODE_CLOSE:
                raise Closed(int.from_bytes(data[:2], "big") if data else None)

    def until(self, condition):
        """The next frame that the condition holds for. The socket's own timeout ends the wait."""
        while True:
            frame = self.next()
            if condition(frame):
                return frame

    def close_code(self):
        """Reads until the hub closes, in a thread of its own; call the result to have the code."""
        code = []

        def read():
            try:
                while True:
                    self.next()
            except Closed as closed:
                code.append(closed.code)

        thread = threading.Thread(target=read, daemon=True)
        thread.start()

        def wait():
            thread.join(10)
            return code[0] if code else None

        return wait

    def __exit__(self, *_):
        self.socket.close()


class Closed(Exception):
    def __init__(self, code):
        super().__init__(f"closed with {code}")
        self.code = code
