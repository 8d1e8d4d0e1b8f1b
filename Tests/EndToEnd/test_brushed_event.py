"""What programs beside the hub hear when somebody has brushed."""

import json
import queue
import time

import pytest

import brushing_blobs
from hub import tandem
from mqtt import Client


@pytest.fixture
def mila(hub):
    return hub.request("POST", "/api/people", {"name": "Mila", "role": "child"})[1]["id"]


def program(hub, topic):
    answer = json.loads(
        tandem("integration", "add", "--data", hub.data, "--name", "Lamp", "--filter", topic, "--json").stdout
    )
    return Client(hub, answer["id"], answer["token"])


def just_now(seconds=210):
    return int(time.time() * 1000) - seconds * 1000


def test_a_program_that_was_granted_it_hears_who_has_brushed_once(hub, mila):
    with program(hub, "tandem/brushing/+/brushed") as lamp:
        assert lamp.subscribe("tandem/brushing/+/brushed") == [1]
        start = just_now()
        blob = brushing_blobs.session(mila, start)
        for _ in range(2):  # the answer to the first was lost
            hub.request("POST", "/api/brushing/sessions", blob, {"Content-Type": "application/octet-stream"})
        topic, payload, is_retained = lamp.next()
        assert (topic, is_retained) == (f"tandem/brushing/{mila}/brushed", False)
        said = json.loads(payload)
        assert (said["person"], said["name"], said["seconds"]) == (mila, "Mila", 210)
        assert (said["startedAt"], said["today"], said["asked"], said["isLate"]) == (start, 1, 2, False)
        brushing_blobs.deliver(hub, mila, start - 86_400_000)
        late = json.loads(lamp.next()[1])  # not the first once more
        assert (late["isLate"], late["startedAt"]) == (True, start - 86_400_000)


def test_too_short_a_session_is_no_event_and_nobody_hears_what_was_not_granted(hub, mila):
    with program(hub, "tandem/brushing/somebodyelse/brushed") as other, program(hub, "tandem/#") as lamp:
        assert other.subscribe("tandem/brushing/+/brushed") == [128]
        assert other.subscribe("tandem/brushing/somebodyelse/brushed") == [1]
        assert lamp.subscribe("tandem/#") == [1]
        brushing_blobs.deliver(hub, mila, just_now(10), 10)
        brushing_blobs.deliver(hub, mila, just_now())
        assert json.loads(lamp.next()[1])["seconds"] == 210
        with pytest.raises(queue.Empty):
            other.messages.get_nowait()
