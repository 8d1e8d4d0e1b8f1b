"""Adding a device where there are several kinds: the modules alone, with a hub that the test plays."""

import json

import pytest
from playwright.sync_api import expect

from pages import browser  # noqa: F401
from single_modules import modules, web  # noqa: F401

TOY = {"kind": "toy", "title": "Toy", "companion": "toy"}
VIRTUAL_TOY = {"kind": "virtual-toy", "title": "Virtual toy", "companion": "toy"}
SENSOR = {"kind": "soil", "title": "Soil sensor", "companion": "garden"}
UNUSED = {"kind": "loom", "title": "Loom", "companion": "loom"}

# The companions as their folders declare them: the toy has words for one of its two kinds.
BRING = """async () => {
    const { bringCompanions } = await import("/app/companions.js");
    const { signIn } = await import("/app/sign-in.js");
    const toy = { title: "The toy itself", lead: "It hangs on the wall.", waits: "Waiting", where: "Try it",
        line: () => "tandem simulate toy" };
    bringCompanions({
        toy: { icon: "radio", screens: [], newcomers: { toy: async () => toy } },
        garden: { icon: "sensor", screens: [] },
    }, []);
    const tess = { id: "tess", name: "Tess", role: "adult" };
    signIn.take({
        person: tess, profile: tess, people: [tess], household: { id: "h", name: "House" }, signIn: {},
        companions: ["toy", "garden"].map((slug) => ({ slug, title: slug, path: `/${slug}` })),
        hub: { now: Date.now(), timeZone: "Europe/Vienna" },
    });
    const { addAnyDevice } = await import("/devices/add-any-device.js");
    window.add = (options) => { window.given = []; return addAnyDevice({ ...options, closed: (one) => given.push(one) }); };
}"""


@pytest.fixture
def hub(modules):  # noqa: F811
    """A page that may add devices, and what it asked the hub to make."""
    hub = {"kinds": [TOY, VIRTUAL_TOY, SENSOR, UNUSED], "made": [], "radio": "none", "found": []}

    def answer(route):
        request = route.request
        if request.method == "POST":
            hub["made"].append(request.post_data_json)
        device = {"id": "d1", "name": "It", "series": [], "errorCount": 0}
        body = {
            "/api/device-kinds": hub["kinds"],
            "/api/hub": {"now": 1, "mqtt": {"host": "hub.local", "port": 8883, "isTLS": True}},
            "/api/bluetooth": {"status": hub["radio"], "devices": 0}, "/api/found-devices": hub["found"],
            "/api/devices": {"device": device, "id": "d1", "token": "secret"},
        }.get(request.url.removeprefix("http://modules.test"), device)
        route.fulfill(body=json.dumps(body), content_type="application/json")

    modules.goto("http://modules.test/")
    modules.route("**/api/**", answer)
    modules.evaluate(BRING)
    yield hub
    modules.unroute("**/api/**")


def rows(page):
    return page.get_by_role("dialog").locator(".row .words")


def given(page):
    """What who asked for it is given, once the sheet is closed."""
    page.wait_for_function("given.length > 0")
    return page.evaluate("given")


def test_all_kinds_of_the_household_are_offered_each_with_its_words(hub, modules):  # noqa: F811
    modules.evaluate("() => void add()")
    expect(rows(modules).locator(".name")).to_have_text(["The toy itself", "Virtual toy", "Soil sensor"])
    expect(rows(modules).locator(".fine").first).to_have_text("It hangs on the wall.")
    modules.get_by_role("button", name="Close").click()
    expect(modules.get_by_role("dialog")).to_have_count(0)
    assert given(modules) == [None]


def test_the_one_that_is_chosen_is_the_one_that_is_paired(hub, modules):  # noqa: F811
    modules.evaluate("() => void add({ companion: 'toy' })")
    expect(rows(modules).locator(".name")).to_have_text(["The toy itself", "Virtual toy"])
    modules.get_by_role("button", name="Virtual toy").click()
    dialog = modules.get_by_role("dialog")
    expect(dialog.get_by_label("Name")).to_have_value("Virtual toy")
    dialog.get_by_role("button", name="Add device").click()
    expect(dialog.get_by_role("status")).to_be_visible()
    assert hub["made"] == [{"kind": "virtual-toy", "name": "Virtual toy"}]
    dialog.get_by_role("button", name="Done").click()
    expect(modules.get_by_role("dialog")).to_have_count(0)
    assert [device["id"] for device in given(modules)] == ["d1"]


def test_a_single_kind_is_not_asked_for(hub, modules):  # noqa: F811
    modules.evaluate("() => void add({ companion: 'garden' })")
    expect(modules.get_by_role("dialog").get_by_label("Name")).to_have_value("Soil sensor")


def test_what_the_hubs_radio_hears_appears_while_the_list_is_open(hub, modules):  # noqa: F811
    hub["radio"] = "listening"
    modules.evaluate("() => void add({ companion: 'garden' })")
    sheet = modules.get_by_role("dialog")
    expect(sheet.get_by_text("The hub listens for sensors near it.")).to_be_visible()
    row = sheet.get_by_role("button", name="Soil sensor")
    row.focus()
    fern = {
        "id": "f", "name": "Fern 18B2", "model": "BTHome", "kind": "soil", "companion": "garden", "source": "bluetooth",
        "isAdopted": False, "isAdoptable": True, "isAway": False, "needsKey": False, "isKeyWrong": False,
        "sensors": [{"quantity": "moisture", "title": "Moisture", "unit": "%", "value": 41, "at": 1}],
    }  # fmt: skip
    hub["found"] = [fern, {**fern, "id": "b", "name": "Drums", "companion": "toy"}]
    expect(sheet.get_by_role("button", name="Fern 18B2")).to_contain_text("Found here: Moisture 41")
    expect(sheet.get_by_role("button", name="Drums")).to_have_count(0)  # another companion's
    expect(row).to_be_focused()


def test_a_hub_without_kinds_says_so(hub, modules):  # noqa: F811
    hub["kinds"] = [UNUSED]
    modules.evaluate("() => void add()")
    expect(modules.get_by_text("This hub has no kind of device to add.")).to_be_attached()
    assert given(modules) == [None]
