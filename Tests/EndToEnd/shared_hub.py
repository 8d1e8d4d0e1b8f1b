"""One hub for the tests of a file, where each brings what it looks at: a device, a child, a page of its own.

    hub = shared_hub(web=True)

The plants and people that a test adds are gone before the next one, in whatever order they run. A test that leaves behind
something else that others would see, such as who is signed in, is marked `own_hub` and has one of its own. Who ends the hub need
not start it again.
"""

import pytest

from hub import Hub, copy_of


def shared_hub(web=False, **options):
    """The fixture `hub` of a file. web: with the page; the options are those of Hub."""
    running = pytest.StashKey()

    @pytest.fixture
    def hub(request, prepared, tmp_path_factory):
        module, has_own = request.node.getparent(pytest.Module), request.node.get_closest_marker("own_hub")
        hub = None if has_own else module.stash.get(running, None)
        if hub is None:
            served = {"web": request.getfixturevalue("web")} if web else {}
            hub = Hub(copy_of(prepared, tmp_path_factory.mktemp("hub") / "data"), **served, **options)
            hub.is_shared = not has_own
            if has_own:
                request.addfinalizer(hub.close)
            else:
                module.addfinalizer(hub.close)
                module.stash[running] = hub
        if not hub.is_running:
            hub.start()
        hub.signed_in()
        before = added(hub)
        yield hub
        if hub.is_shared:
            if not hub.is_running:
                hub.start()
            hub.signed_in()
            for path in added(hub) - before:
                hub.request("DELETE", path)

    return hub


def added(hub):
    """The plants and people that there are, as the paths under which each is deleted."""
    plants, people = hub.get("/api/plants")["plants"], hub.get("/api/people")
    return {f"/api/plants/{one['id']}" for one in plants} | {f"/api/people/{one['id']}" for one in people}


def child(hub, name, face):
    """A child of the household, for as long as a test lasts."""
    return hub.post("/api/people", {"name": name, "role": "child", "face": face})
