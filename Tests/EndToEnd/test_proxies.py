"""Real proxies before the hub, as Debian has them: what the log says where the hub was not told of one, and what the page says
where the proxy itself refuses."""

import os
import shutil
import socket
import subprocess
import types
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from hub import Hub, eventually, free_port
from pages import PHONE, browser, new_page, sign_in  # noqa: F401

SBIN = os.environ["PATH"] + ":/usr/sbin"


@pytest.fixture
def proxies(tmp_path):
    """Starts a proxy by its program and its configuration, and ends it."""
    running = []

    def start(program, port, *arguments):
        found = shutil.which(program, path=SBIN)
        if not found:
            pytest.skip(f"{program} is not installed")
        running.append(subprocess.Popen([found, *arguments]))

        def answers():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        eventually(answers, what=program)

    yield start
    for process in running:
        process.terminate()
        process.wait(10)


def nginx(proxies, folder, port, hub, lines):
    (folder / "nginx.conf").write_text(f"""
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{
    listen 127.0.0.1:{port};
    location / {{ proxy_pass http://127.0.0.1:{hub.port}; {lines} }}
  }}
}}
""")
    proxies("nginx", port, "-p", folder, "-c", folder / "nginx.conf")


def asked(port, host=None):
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/session", headers={"Host": host} if host else {})
    try:
        return urllib.request.urlopen(request, timeout=10).status
    except urllib.error.HTTPError as error:
        return error.code


def test_the_log_names_the_settings_that_an_nginx_wants_and_no_more_once_they_are_there(data, tmp_path, proxies):
    lines = "proxy_set_header X-Forwarded-Host $host; proxy_set_header X-Forwarded-Proto https;"
    wanted = "start the hub with --origin https://tandem.example.org --trusted-proxy 127.0.0.1"
    hub = Hub(data).start()
    port = free_port()
    try:
        nginx(proxies, tmp_path, port, hub, lines)
        for _ in range(3):
            assert asked(port, "tandem.example.org") == 401
        eventually(lambda: wanted in hub.log, what="the line")
        assert hub.log.count("--origin https://tandem.example.org") == 1, hub.log
        hub.terminate()
        hub.flags += ["--origin", "https://Tandem.example.org.", "--trusted-proxy", "127.0.0.1"]
        hub.start()
        before = hub.log.count("start the hub with")
        assert asked(port, "tandem.example.org") == 401
        assert hub.log.count("start the hub with") == before, hub.log
    finally:
        hub.close()


def test_a_name_that_nginx_hands_on_and_the_hub_does_not_know_is_refused_and_named(data, tmp_path, proxies):
    hub = Hub(data).start()
    port = free_port()
    try:
        nginx(proxies, tmp_path, port, hub, "proxy_set_header Host $host;")
        assert asked(port, "tandem.example.org") == 421
        eventually(lambda: "start the hub with --origin https://tandem.example.org" in hub.log, what="the line")
    finally:
        hub.close()


def test_a_haproxy_as_the_documents_have_it_is_named_until_it_is_trusted(data, tmp_path, proxies):
    hub = Hub(data).start()
    port = free_port()
    (tmp_path / "haproxy.cfg").write_text(f"""
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
frontend http
    bind 127.0.0.1:{port}
    option forwardfor
    http-request set-header X-Forwarded-Proto https
    default_backend tandem
backend tandem
    server hub 127.0.0.1:{hub.port}
""")
    try:
        proxies("haproxy", port, "-f", tmp_path / "haproxy.cfg")
        assert asked(port) == 401
        eventually(lambda: "start the hub with --trusted-proxy 127.0.0.1" in hub.log, what="the line")
        assert asked(port, "tandem.example.org") == 421
        eventually(lambda: "--origin https://tandem.example.org" in hub.log, what="the line with the origin")
    finally:
        hub.close()


def test_what_a_proxy_finds_too_large_is_told_as_the_proxys(data, web, tmp_path, proxies, browser):  # noqa: F811
    hub = Hub(data, "--trusted-proxy", "127.0.0.1", web=web).start().signed_in()
    port = free_port()
    lines = "client_max_body_size 2k; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto $scheme;"
    try:
        nginx(proxies, tmp_path, port, hub, lines)
        page = new_page(types.SimpleNamespace(url=f"http://127.0.0.1:{port}"), browser, (PHONE, "light"))
        sign_in(page, "/toy/import")
        table = b"text\n" + b"A bee dances to say where flowers are.\n" * 200
        page.get_by_label("File", exact=True).set_input_files(
            {"name": "ours.csv", "mimeType": "text/csv", "buffer": table})
        page.get_by_role("button", name="Add these facts").click()
        expect(page.get_by_text("the hub has not seen it")).to_be_visible()
        expect(page.get_by_text("client_max_body_size")).to_be_visible()
        page.wrongs.clear()
        page.context.close()
    finally:
        hub.close()
