"""
The page of single modules as they are written, for tests that reach into one of them: `web` in place of the bundle that
all others have.
"""

import pytest

from hub import ROOT


@pytest.fixture(scope="session")
def web():
    return folder()


def folder():
    all = ROOT / "web-modules"
    if not (all / "index.html").exists():
        pytest.fail("web-modules/ is missing: run `scripts/web.sh modules`")
    return all


@pytest.fixture(scope="module")
def modules(browser):
    """Modules alone, in a page that holds nothing else: what they reckon with is given to them."""
    context = browser.new_context()
    page = context.new_page()
    build = next((folder() / "app").iterdir())
    page.route("http://modules.test/**", lambda route: route.fulfill(**answer(build, route.request.url)))
    page.goto("http://modules.test/")
    yield page
    context.close()


def answer(build, url):
    path = build / url.removeprefix("http://modules.test/")
    if not path.is_file():
        return {"body": "", "content_type": "text/html"}
    return {"body": path.read_text(), "content_type": "text/javascript"}


def module(path):
    """What imports, in a page, the module that the page itself has."""
    return f"import(`/app/${{document.documentElement.dataset.build}}/{path}`)"
