"""Who signs out is forgotten on the device, with or without the hub; and what the device remembers of its clock."""

import re

import pytest
from playwright.sync_api import expect

from hub import eventually
from outbox_page import hub, page  # noqa: F401
from pages import add_plant, browser, fill_in, has_worker, kept, sign_in  # noqa: F401
from single_modules import module, web  # noqa: F401

def sign_out(page):  # noqa: F811
    page.get_by_role("button", name=re.compile("Sign out")).first.click()


def test_who_signs_out_without_the_hub_is_forgotten_and_the_hub_hears_it_first(hub, page):  # noqa: F811
    """Before anything else is asked in their name: their cookie is still this browser's."""
    add_plant(hub)
    sign_in(page)
    expect(page.get_by_role("link", name=re.compile("Fern"))).to_be_visible()
    has_worker(page)
    page.goto("/settings")
    expect(page.get_by_role("button", name=re.compile("Sign out")).first).to_be_visible()
    hub.kill()
    sign_out(page)
    expect(page.get_by_role("heading", name="The hub does not answer")).to_be_visible()
    assert kept(page) == {}
    page.reload()
    expect(page.get_by_role("heading", name="The hub does not answer")).to_be_visible()
    asked = []
    page.on("request", lambda one: "/api/session" in one.url and asked.append(one.method))
    hub.start()
    expect(page.get_by_label("Email")).to_be_visible()
    assert "GET" not in asked[: asked.index("DELETE")] and kept(page) == {}
    page.reload()
    expect(page.get_by_label("Email")).to_be_visible()
    fill_in(page)
    expect(page.get_by_role("navigation", name="Places")).to_be_visible()
    eventually(lambda: kept(page) != {}, what="the next one's visit is remembered")


def test_a_sign_in_that_the_hub_has_yet_to_end_is_not_believed(hub, page):  # noqa: F811
    """The page asks who is signed in as it begins to load, also where it has to sign somebody out first."""
    sign_in(page, "/settings")
    page.route("**/api/session", lambda route: route.abort() if route.request.method == "DELETE" else route.continue_())
    sign_out(page)
    expect(page.get_by_label("Email")).to_be_visible()
    page.unroute("**/api/session")
    asked = []
    page.on("request", lambda one: "/api/session" in one.url and asked.append(one.method))
    page.reload()
    expect(page.get_by_label("Email")).to_be_visible()
    assert "DELETE" in asked and kept(page) == {}


def test_a_hub_that_never_answers_holds_no_names_back(hub, page):  # noqa: F811
    sign_in(page, "/settings")
    eventually(lambda: kept(page) != {})
    held = []
    page.route("**/api/session", lambda route: held.append(route) if route.request.method == "DELETE" else route.continue_())
    sign_out(page)
    eventually(lambda: kept(page) == {} and held, what="that nothing is kept while the hub is being told")
    # An answer that was on its way brings nothing back.
    page.evaluate(f"() => {module('offline/cache.js')}.then(({{ store }}) => store('plants', 'Fern'))")
    assert kept(page) == {}
    held[0].continue_()
    expect(page.get_by_label("Email")).to_be_visible()


def test_other_tabs_forget_as_well(hub, page):  # noqa: F811
    sign_in(page, "/settings")
    second = page.context.new_page()
    second.goto("/settings")
    expect(second.get_by_role("navigation", name="Places")).to_be_visible()
    second.evaluate("() => { window.sameDocument = true; }")
    second.route("**/api/live*", lambda route: route.abort())
    hub.kill()
    sign_out(page)
    expect(second.get_by_role("heading", name="The hub does not answer")).to_be_visible()
    assert second.evaluate("() => window.sameDocument") is True
    assert kept(page) == {}


@pytest.mark.parametrize(
    "ahead, age, expected", [(240, 60, 240), (3600, 60, 0), (240, 2 * 86_400, 0), (240, -3600, 0)],
    ids=["minutes", "an hour", "of the day before yesterday", "put back since"],
)  # fmt: skip
def test_a_difference_of_clocks_is_recalled_while_it_can_still_be_so(hub, page, ahead, age, expected):  # noqa: F811
    sign_in(page, "/settings")
    has_worker(page)
    eventually(lambda: kept(page) != {})
    hub.kill()
    expect(page.get_by_text(re.compile("No hub since"))).to_be_visible()
    last = kept(page)["session"]
    heard = page.evaluate("Date.now()") - age * 1000
    page.evaluate(
        "(last) => localStorage.setItem('tandem.cache.session', JSON.stringify(last))",
        {**last, "ahead": ahead * 1000, "heardAt": heard},
    )
    second = page.context.new_page()
    second.goto("/settings")
    expect(second.get_by_role("navigation", name="Places")).to_be_visible()
    difference = second.evaluate(
        f"async () => {{ const {{ now }} = await {module('app/clock.js')}; return now() - Date.now(); }}"
    )
    assert abs(difference / 1000 - expected) < 1
