"""What other users of the machine can read: the folder, its files, the command line, the log."""

import pathlib
import stat
import subprocess

from hub import EMAIL, PASSWORD, tandem
from probes import hold, probe


def open_files(folder):
    """Those below a folder that somebody else may read or write."""
    return [
        f"{path.relative_to(folder)} {stat.filemode(path.stat().st_mode)}"
        for path in pathlib.Path(folder).rglob("*")
        if path.is_file() and path.stat().st_mode & 0o077
    ]


@probe("a data folder that was there before, with mode 755", "Files are for the hub’s user alone, whoever made the folder.")
def existing_folder(ground):
    folder = ground.folder_of("open")
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    tandem("user", "add", "--data", folder, "--name", "Tess", "--email", EMAIL, stdin=PASSWORD + "\n")
    hold(not open_files(folder), f"after `user add`: {', '.join(open_files(folder)[:5])}")
    app = ground.app_in(folder)
    device = app.add_device()
    from mqtt import Client

    with Client.of(device) as client:
        client.publish(device.topic(), "41.5")
    readable = open_files(folder)
    hold(not readable, f"{', '.join(readable[:6])}")
    count = sum(path.is_file() for path in folder.rglob("*"))
    return f"{count} files, each for its owner alone"


@probe("files of a hub that everybody can read", "`tandem doctor` says where somebody else can read.")
def doctor(ground):
    folder = ground.folder_of("open")
    tandem("user", "add", "--data", folder, "--name", "Tess", "--email", EMAIL, stdin=PASSWORD + "\n")
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    folder.chmod(0o755)
    said = tandem("doctor", "--data", folder, check=False)
    words = (said.stdout + said.stderr).lower()
    hold(any(word in words for word in ("read", "chmod", "600", "700", "permission")), "it says nothing of it")
    app = ground.app_in(folder)
    readable = open_files(folder)
    hold(not readable, f"after a start: {', '.join(readable[:6])}")
    hold(app.is_alive(), "the hub does not answer")
    return "said, and mended at the next start"


@probe("tokens and passwords on the command line of the hub", "No secret stands where every user of the machine can read it.")
def command_line(ground):
    app = ground.home
    line = pathlib.Path(f"/proc/{app.process.pid}/cmdline").read_bytes()
    hold(PASSWORD.encode() not in line, "the password is on the hub’s command line")
    for command in (("sensor",), ("simulate", "plant")):
        said = subprocess.run([ground.executable, *command, "--help"], capture_output=True, text=True, timeout=30).stdout
        hold("--token-file" in said, f"`tandem {' '.join(command)}` takes a token on the command line alone")
    return "none; a token can be given in another way"


@probe("secrets in the log", "No secret is in the log.")
def logged(ground):
    app = ground.home
    device = app.add_device("Logged")
    app.stranger.ask("GET", "/api/session", headers={"Authorization": "Bearer a-token-that-was-mistyped"})
    for secret in (app.token, device.token, PASSWORD, "a-token-that-was-mistyped", app.mila.token):
        hold(secret not in app.log, f"the log has {secret[:6]}…")
    return f"{len(app.lines)} lines, none has one"
