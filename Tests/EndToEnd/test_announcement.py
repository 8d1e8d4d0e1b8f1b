"""The hub announces itself by Avahi, and a phone on the same network finds it by its name."""

import pytest

import machine
from hub import eventually
from machine import ADDRESSES, HubOnMachine, Machine, connect

pytestmark = pytest.mark.skipif(
    not machine.can_be_made(), reason="this user may not make network namespaces; root may, in most places"
)
HUB, PHONE = ADDRESSES


@pytest.fixture
def machines():
    made = []

    def make(name):
        made.append(Machine(name))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def cable(machines):
    """A computer called oak and a phone, with a cable between them and no Avahi."""
    oak, phone = machines("oak"), machines("phone")
    connect(oak, phone)
    return oak, phone


@pytest.fixture
def home(cable):
    """The same with Avahi on both."""
    for one in cable:
        one.start_bus()
        one.start_avahi()
    return cable


@pytest.fixture
def on(data):
    """Starts a hub called linden on a machine."""
    hubs = []

    def start(where, name="linden", **options):
        hubs.append(HubOnMachine(where, data, lan=name, **options))
        return hubs[-1].start()

    yield start
    for one in hubs:
        one.close()


def is_announced(hub):
    return hub.announcement()["isAnnounced"]


def test_a_phone_finds_the_hub_by_a_name_that_is_not_the_machines(home, on):
    oak, phone = home
    hub = on(oak)
    eventually(lambda: is_announced(hub), what="the announcement")
    assert phone.resolve("linden.local") == HUB
    assert phone.resolve("oak.local") == HUB
    found = eventually(lambda: phone.browse(), what="the service on the phone")
    assert ("Tandem", "linden.local", HUB, hub.https_port) in found
    assert "linden.local" in hub.announcement()["words"]
    assert "Announced to this network as linden.local" in hub.log

    reach = """
import socket, ssl, sys
trust = ssl.create_default_context(cafile=sys.argv[1])
link = trust.wrap_socket(socket.create_connection((sys.argv[2], int(sys.argv[3]))), server_hostname="linden.local")
link.sendall(b"GET /healthz HTTP/1.1\\r\\nHost: linden.local\\r\\nConnection: close\\r\\n\\r\\n")
print(link.recv(100).split()[1].decode())
"""
    authority = hub.data / "authority" / "authority.pem"
    assert phone.python(reach, authority, phone.resolve("linden.local"), hub.https_port) == "200\n"


def test_a_hub_that_is_killed_is_not_announced_any_more(home, on):
    oak, phone = home
    hub = on(oak)
    eventually(lambda: is_announced(hub), what="the announcement")
    hub.kill()
    eventually(lambda: phone.browse() == set(), what="the end of the announcement")
    # Nothing was left behind that would keep the next one from its name.
    hub.start()
    eventually(lambda: is_announced(hub), what="the announcement of the next hub")
    assert {row[0] for row in eventually(lambda: phone.browse(), what="the service")} == {"Tandem"}


def test_a_name_that_another_machine_has_is_said_and_not_changed(machines, on):
    oak, other = machines("oak"), machines("linden")
    connect(oak, other)
    for one in (oak, other):
        one.start_bus()
        one.start_avahi()
    hub = on(oak)
    state = eventually(lambda: "another machine" in hub.announcement()["words"] and hub.announcement(), what="the collision")
    assert not state["isAnnounced"]
    assert "--name" in state["words"]
    assert state["words"] in hub.log
    assert oak.resolve("linden.local") == PHONE


def test_without_avahi_the_page_and_the_terminal_say_what_to_install(cable, on):
    hub = on(cable[0], path="/nonexistent")
    state = eventually(lambda: "apt-get install" in hub.announcement()["words"] and hub.announcement(), what="the words")
    assert not state["isAnnounced"]
    assert "avahi-daemon" in state["words"]
    assert state["words"] in hub.log


def test_where_nothing_announces_the_name_phones_are_given_the_number_and_the_name_once_it_leads_there(cable, on):
    oak = cable[0]
    oak.start_bus()
    hub = on(oak).signed_in()
    number = f"https://{HUB}:{hub.https_port}"
    eventually(lambda: f"On phones: {number}\n" in hub.log, what="the number beside the code in the terminal")
    assert hub.log.index(number) < hub.log.index("Stop with Ctrl-C")
    assert hub.get("/api/welcome")["origin"] == number
    link = hub.post("/api/invitations")["link"]
    assert link.startswith(f"{number}/join#")
    oak.start_avahi()
    eventually(lambda: hub.get("/api/welcome")["origin"] == hub.origin, within=40, what="the name")


def test_avahi_that_does_not_run_is_said(cable, on):
    hub = on(cable[0])
    state = eventually(lambda: "not running" in hub.announcement()["words"] and hub.announcement(), what="the words")
    assert not state["isAnnounced"]
    assert state["words"] in hub.log


def test_avahi_that_starts_later_needs_no_restart_of_the_hub(cable, on):
    oak = cable[0]
    oak.start_bus()
    hub = on(oak)
    assert not is_announced(hub)
    oak.start_avahi()
    eventually(lambda: is_announced(hub), within=40, what="the announcement")
    assert oak.resolve("linden.local") == HUB
