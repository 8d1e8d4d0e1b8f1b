"""One hub for the tests of a file, where each brings what it looks at: a device, a child, a page of its own.

    hub = shared_hub(web=True)

A test that leaves behind what others would see, such as who is signed in, is marked `own_hub` and has one of its own. Who ends
the hub need not start it again.
"""

import pytest

from hub import Hub, copy_of

RUNNING = pytest.StashKey()


def shared_hub(web=False, **options):
    """The fixture `hub` of a file. web: with the page; the options are those of Hub."""

    @pytest.fixture
    def hub(request, prepared, tmp_path_factory):
        module, has_own = request.node.getparent(pytest.Module), request.node.get_closest_marker("own_hub")
        hub = None if has_own else module.stash.get(RUNNING, None)
        if hub is None:
            served = {"web": request.getfixturevalue("web")} if web else {}
            hub = Hub(copy_of(prepared, tmp_path_factory.mktemp("hub") / "data"), **served, **options)
            hub.is_shared = not has_own
            if has_own:
                request.addfinalizer(hub.close)
            else:
                module.addfinalizer(hub.close)
                module.stash[RUNNING] = hub
        if not hub.is_running:
            hub.start()
        return hub.signed_in()

    return hub


def child(hub, name, face):
    """A child of the household for as long as a test lasts, with all that is stored of it."""
    one = hub.post("/api/people", {"name": name, "role": "child", "face": face})
    yield one
    forget(hub, one["id"])


def forget(hub, *people):
    """Takes people out of a household that other tests see."""
    if hub.is_shared:
        if not hub.is_running:
            hub.start()
        hub.signed_in()
        for person in people:
            hub.request("DELETE", f"/api/people/{person}")
