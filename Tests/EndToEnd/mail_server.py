"""A mail server that another project wrote (aiosmtpd), on loopback, with a certificate of its own; and a rude one of a few lines."""

import hashlib
import queue
import socket
import ssl
import threading

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from tls import own_certificate

USER, PASSWORD, SENDER = "tandem@linden.example", "a mail password", "tandem@linden.example"


class MailServer:
    """What comes is in `mails`; `say` has it answer otherwise first, one answer a message."""

    def __init__(self, folder, port, implicit=False, mechanisms=("LOGIN", "PLAIN")):
        self.port, self.implicit = port, implicit
        self.mails, self.answers, self.sign_ins = queue.Queue(), queue.Queue(), []
        self.certificate, key = own_certificate(folder, "localhost")
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate, key)
        server = self
        excluded = [one for one in ("LOGIN", "PLAIN") if one not in mechanisms]

        class Own(Controller):
            def factory(self):
                return SMTP(
                    self.handler, hostname="mail.test", authenticator=server.check, auth_required=True,
                    tls_context=None if server.implicit else server.context, require_starttls=not server.implicit,
                    # Of a connection that is wrapped as a whole it does not know that it is encrypted.
                    auth_require_tls=not server.implicit, auth_exclude_mechanism=excluded,
                )  # fmt: skip

        self.controller = Own(self, hostname="127.0.0.1", port=port, ssl_context=self.context if implicit else None)
        self.controller.start()

    @property
    def fingerprint(self):
        return hashlib.sha256(ssl.PEM_cert_to_DER_cert(open(self.certificate).read())).hexdigest()

    def check(self, server, session, envelope, mechanism, data):
        self.sign_ins.append((mechanism, session.ssl is not None or self.implicit))
        isRight = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
        # Handled is what it has answered itself.
        return AuthResult(success=isRight, handled=isRight)

    def say(self, *answers):
        for answer in answers:
            self.answers.put(answer)

    async def handle_DATA(self, server, session, envelope):
        self.mails.put(envelope)
        try:
            return self.answers.get_nowait()
        except queue.Empty:
            return "250 2.0.0 OK"

    def next(self, within=10):
        return self.mails.get(timeout=within)

    def close(self):
        self.controller.stop()


class RudeServer:
    """Says given bytes after each line that it is sent, and notes these lines."""

    def __init__(self, *says):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.lines, self.says = [], says
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as heard:
                try:
                    for said in self.says:
                        connection.sendall(said)
                        line = heard.readline()
                        if not line:
                            break
                        self.lines.append(line)
                    while line := heard.readline():
                        self.lines.append(line)
                except OSError:
                    continue

    def close(self):
        self.listener.close()
