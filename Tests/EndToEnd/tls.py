"""The hub's HTTPS and MQTT with TLS as foreign clients see them: OpenSSL's s_client and Python's ssl."""

import pathlib
import re
import socket
import ssl
import subprocess

from hub import tandem

# Those of TLS 1.2 with forward secrecy and authenticated encryption, for a key on an elliptic curve (RFC 9325, 4.2).
SUITES = {"ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305"}


def openssl(*arguments, stdin="", check=True):
    result = subprocess.run(
        ["openssl", *map(str, arguments)], input=stdin, capture_output=True, text=True, errors="replace", timeout=30
    )
    if check and result.returncode != 0:
        raise AssertionError(f"openssl {' '.join(map(str, arguments))}\n{result.stdout}{result.stderr}")
    return result


def authority(hub, folder):
    """The file that `tandem authority` prints."""
    file = pathlib.Path(folder) / "authority.pem"
    file.write_text(tandem("authority", "--data", hub.data).stdout)
    return file


def s_client(hub, *arguments, port=None, stdin=None):
    """One connection that asks for /healthz and waits for the hub to close; what both sides said."""
    request = f"GET /healthz HTTP/1.1\r\nHost: {hub.name}\r\nConnection: close\r\n\r\n" if stdin is None else stdin
    return openssl(
        "s_client", "-connect", f"127.0.0.1:{port or hub.https_port}", "-servername", hub.name, "-ign_eof",
        *arguments, stdin=request, check=False,
    )  # fmt: skip


def leaf(hub):
    """The certificate that the hub shows at this moment, in PEM."""
    return ssl.get_server_certificate(("127.0.0.1", hub.https_port))


def names(pem):
    """The names and addresses of a certificate."""
    text = openssl("x509", "-noout", "-ext", "subjectAltName", stdin=pem).stdout
    return set(re.findall(r"(?:DNS|IP Address):([^,\s]+)", text))


def context(ca, **settings):
    """For a client that trusts the authority and nobody else."""
    context = ssl.create_default_context(cafile=ca)
    for name, value in settings.items():
        setattr(context, name, value)
    return context


def page(hub, ca, path="/healthz", timeout=30):
    """One GET by a client that trusts the authority and asks for the hub by its name."""
    with socket.create_connection(("127.0.0.1", hub.https_port), timeout=timeout) as plain:
        with context(ca).wrap_socket(plain, server_hostname=hub.name) as secure:
            secure.sendall(f"GET {path} HTTP/1.1\r\nHost: {hub.name}\r\nConnection: close\r\n\r\n".encode())
            return rest(secure)


def rest(connection):
    """Everything until the other side closes."""
    parts = []
    while True:
        try:
            part = connection.recv(65_536)
        except ConnectionResetError:
            part = b""
        if not part:
            return b"".join(parts)
        parts.append(part)


def key(file):
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file)
    file.chmod(0o600)
    return file


def signed(hub, folder, subject):
    """A certificate for any name or address, as somebody could sign it who has stolen the authority's key."""
    folder = pathlib.Path(folder)
    openssl("req", "-new", "-key", key(folder / "stolen.key"), "-subj", "/CN=x", "-out", folder / "x.csr")
    (folder / "x.ext").write_text(f"subjectAltName={subject}\nextendedKeyUsage=serverAuth\n")
    openssl(
        "x509", "-req", "-in", folder / "x.csr", "-CA", hub.data / "authority/authority.pem", "-CAkey",
        hub.data / "authority/authority.key", "-set_serial", "1", "-days", "30", "-extfile", folder / "x.ext",
        "-out", folder / "x.pem",
    )  # fmt: skip
    return folder / "x.pem"


def own_certificate(folder, *names):
    """A certificate of nobody's authority with its key."""
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    subject = ",".join(f"DNS:{name}" for name in names)
    openssl(
        "req", "-x509", "-key", key(folder / "own.key"), "-subj", f"/CN={names[0]}", "-addext",
        f"subjectAltName={subject}", "-days", "90", "-out", folder / "own.pem",
    )  # fmt: skip
    return folder / "own.pem", folder / "own.key"
