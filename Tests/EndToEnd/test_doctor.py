"""`tandem doctor` on real troubles: a taken port, a full disk, a file cut short, a clock of another year, and real proxies."""

import json
import os
import shutil
import socket
import subprocess

import pytest
from hub import TANDEM, Hub, eventually, free_port, tandem


def report(data, *flags):
    """The findings by the name of their check, and the exit code."""
    ports = ("--port", free_port(), "--mqtt-port", free_port()) if "--port" not in flags else ()
    result = tandem("doctor", "--data", data, "--json", *ports, *flags, check=False)
    answer = json.loads(result.stdout)
    assert result.returncode == (1 if answer["grade"] == "fault" else 0), result
    return {finding["check"]: finding for finding in answer["findings"]}


def test_a_taken_port_is_told_with_the_program_that_has_it(data):
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        result = tandem("doctor", "--data", data, "--port", port, "--mqtt-port", free_port(), check=False)
    assert result.returncode == 1
    [line] = [line for line in result.stdout.splitlines() if f"Port {port}" in line]
    assert line.startswith("✗") and f"(process {os.getpid()})" in line and "--port" in line, line


def test_a_disk_that_is_nearly_full_is_a_fault_and_its_memory_is_named(prepared, small_disk):
    data = small_disk / "data"
    shutil.copytree(prepared, data)
    found = report(data)
    assert found["disk"]["grade"] == "fault" and "Free some" in found["disk"]["advice"]
    # The 8 MB of the test are a tmpfs.
    assert found["disk-kind"]["grade"] == "warning" and "tmpfs" in found["disk-kind"]["sentence"]


def test_a_database_cut_short_is_refused_in_the_same_words_by_the_doctor_and_by_the_hub(data):
    database = data / "tandem.sqlite"
    size = database.stat().st_size
    (data / "tandem.sqlite-wal").unlink(missing_ok=True)
    with open(database, "r+b") as file:
        file.truncate(size - 4096)
    before = database.read_bytes()
    found = report(data)["database-file"]
    assert found["grade"] == "fault" and f"to {size - 4096} of {size} bytes" in found["sentence"], found
    hub = Hub(data).launch()
    assert hub.wait(20) not in (0, -4, -5, -6, -11), hub.log
    assert found["sentence"] in hub.log and found["advice"] in hub.log, hub.log
    assert database.read_bytes() == before


def test_a_clock_from_before_the_program_was_built_is_a_fault(data):
    result = subprocess.run(
        ["faketime", "2001-01-01 00:00:00", TANDEM, "doctor", "--data", data, "--json"],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert result.returncode == 1
    [clock] = [finding for finding in json.loads(result.stdout)["findings"] if finding["check"] == "clock"]
    assert clock["grade"] == "fault" and "2001-01-01" in clock["sentence"], clock


def test_programs_that_are_missing_are_warnings_with_their_packages(data, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    result = tandem("doctor", "--data", data, "--port", free_port(), "--mqtt-port", free_port(), check=False)
    for package in ("ffmpeg", "espeak-ng"):
        assert f"apt-get install {package}" in result.stdout


GOOD = """
    client_max_body_size 32m;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $connection_upgrade;
"""


@pytest.fixture
def behind(tmp_path, data):
    """Starts a hub and an nginx with TLS in front of it, and gives the findings at its address."""
    nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    if not nginx:
        pytest.skip("nginx is not installed")
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", tmp_path / "key.pem", "-out",
            tmp_path / "cert.pem", "-subj", "/CN=localhost", "-days", "2",
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    hub = Hub(data, "--trusted-proxy", "127.0.0.1").start()
    running = []

    def ask(lines):
        port = free_port()
        (tmp_path / "nginx.conf").write_text(f"""
daemon off; pid {tmp_path}/nginx.pid; error_log {tmp_path}/error.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path {tmp_path}/body; proxy_temp_path {tmp_path}/proxy; fastcgi_temp_path {tmp_path}/f;
  uwsgi_temp_path {tmp_path}/u; scgi_temp_path {tmp_path}/s;
  map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
  server {{
    listen 127.0.0.1:{port} ssl;
    ssl_certificate {tmp_path}/cert.pem; ssl_certificate_key {tmp_path}/key.pem;
    location / {{
      proxy_pass http://127.0.0.1:{hub.port};
      {lines}
    }}
  }}
}}
""")
        running.append(subprocess.Popen([nginx, "-p", tmp_path, "-c", tmp_path / "nginx.conf"]))

        def answers():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        eventually(answers, what="nginx")
        return report(data, "--url", f"https://localhost:{port}")

    yield ask
    for process in running:
        process.terminate()
        process.wait(10)
    hub.close()


def test_an_nginx_as_the_documents_have_it_is_well(behind):
    found = {check: finding["grade"] for check, finding in behind(GOOD).items() if check.startswith("url")}
    # Its certificate is nobody's.
    assert found == {
        "url": "well", "url-certificate": "warning", "url-websocket": "well", "url-forwarded": "well", "url-body": "well",
    }  # fmt: skip


@pytest.mark.parametrize(
    "taken, check, advice",
    [
        ("Upgrade", "url-websocket", "proxy_set_header Upgrade"),
        ("X-Forwarded-Proto", "url-forwarded", "X-Forwarded-Proto $scheme"),
        ("client_max_body_size", "url-body", "client_max_body_size 32m"),
        ("Host", "url-forwarded", "--origin"),
    ],
)
def test_a_line_that_nginx_lacks_is_named(behind, taken, check, advice):
    lines = "\n".join(line for line in GOOD.splitlines() if f" {taken} " not in line)
    found = behind(lines)
    assert [name for name, finding in found.items() if name.startswith("url") and finding["grade"] == "fault"] == [check]
    assert advice in found[check]["advice"], found[check]


def test_an_address_where_nothing_answers_is_told(data):
    found = report(data, "--url", f"http://127.0.0.1:{free_port()}")
    assert found["url"]["grade"] == "fault" and "Nothing answers" in found["url"]["sentence"]
