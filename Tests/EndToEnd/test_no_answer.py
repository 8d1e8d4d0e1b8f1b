"""Why no answer came is said as it is: what the page refuses by itself is no silence of the hub."""

import pytest

from pages import browser  # noqa: F401
from single_modules import modules  # noqa: F401

# What `fetch` does, and what is said of it.
FAILURES = {
    "the hub is away": ("async () => { throw new TypeError('Failed to fetch'); }", "No answer from the hub"),
    "the device has no network": (
        "async () => { Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true });"
        " throw new TypeError('Failed to fetch'); }",
        "No network",
    ),
    "it was given up after a while": (
        "async () => { throw new DOMException('signal timed out', 'TimeoutError'); }", "The hub takes too long"
    ),
    "the answer breaks off": (
        "async () => new Response(new ReadableStream({ start: (one) => one.error(new TypeError('network error')) }))",
        "The answer broke off",
    ),
    "a hotel answers": ("async () => new Response('<h1>Welcome to the hotel</h1>')", "This is not the hub"),
}


def said(modules, fetch, act):
    """The title of the notice of what `act` throws, and whether it says that the hub was not reached."""
    return modules.evaluate(
        f"""async () => {{
            const {{ get, isAborted }} = await import("/app/api.js");
            const {{ Problem }} = await import("/app/problem.js");
            const {{ problemNotice }} = await import("/elements/notice.js");
            const {{ engine }} = await import("/engine/engine.js");
            const {{ setAddresses }} = await import("/elements/address.js");
            setAddresses({{ "wasm/brushing.wasm": "/wasm/brushing.wasm" }});
            const before = self.fetch;
            self.fetch = {fetch};
            try {{
                await ({act})({{ get, engine, Problem }});
            }} catch (error) {{
                if (isAborted(error)) return ["aborted", false];
                return [problemNotice(error).querySelector(".notice-title").textContent, error.unreachable === true];
            }} finally {{
                self.fetch = before;
                delete navigator.onLine;
            }}
        }}"""
    )


@pytest.mark.parametrize("failure", FAILURES)
def test_a_request_without_an_answer_says_what_is_known_of_why(modules, failure):
    fetch, title = FAILURES[failure]
    assert said(modules, fetch, "({ get }) => get('/api/session')") == [title, True]


def test_a_request_that_the_page_gave_up_is_no_trouble(modules):
    fetch = "async () => { throw new DOMException('gone', 'AbortError'); }"
    assert said(modules, fetch, "({ get }) => get('/api/session')") == ["aborted", False]


def test_a_part_of_the_page_that_did_not_come_is_no_mistake_of_the_page(modules):
    fetch = "async () => { throw new TypeError('Failed to fetch'); }"
    assert said(modules, fetch, "({ engine }) => engine('brushing')") == ["No answer from the hub", True]


def test_what_the_page_refuses_by_itself_is_no_silence_of_the_hub(modules):
    refuse = "({ Problem }) => { throw new Problem(0, { title: 'Not started', detail: 'Choose another one.' }); }"
    assert said(modules, "async () => {}", refuse) == ["Not started", False]
