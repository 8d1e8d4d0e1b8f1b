"""Dates and numbers, which pages say without `Intl`: as `Intl` would say them."""

import pytest

from pages import browser  # noqa: F401
from single_modules import modules  # noqa: F401

ZONES = [
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia",
    "No/Where",
]  # fmt: skip


@pytest.mark.parametrize("zone", ZONES)
def test_clocks_show_what_intl_says_before_and_after_it_was_kept(modules, zone):
    """Over a year each way, so that clocks are changed, in spans that were stored and outside of them."""
    wrong = modules.evaluate(
        """async (zone) => {
            const { startCaching } = await import("/offline/cache.js");
            const { keepZones, shiftAt } = await import("/text/zones.js");
            startCaching();
            const options = { dateStyle: "short", timeStyle: "medium" };
            let format = new Intl.DateTimeFormat("sv-SE", options);
            try {
                format = new Intl.DateTimeFormat("sv-SE", { ...options, timeZone: zone });
            } catch {
                // The browser's own.
            }
            const wrong = [];
            const look = () => {
                for (let hour = -9000; hour < 9000; hour += 1) {
                    const at = Date.now() + hour * 3_600_000 + hour * 61_000;
                    const ours = new Date(at + shiftAt(zone, at)).toISOString().slice(0, 19).replace("T", " ");
                    if (ours !== format.format(at)) wrong.push([ours, format.format(at)]);
                }
            };
            look();
            keepZones();
            look();
            return wrong;
        }""",
        zone,
    )
    assert wrong == []


@pytest.mark.parametrize("language, numbers", [("en", ["1.25", "5,400"]), ("de", ["1,25", "5.400"])])
def test_the_next_visit_needs_no_intl_for_dates_around_today(modules, language, numbers):
    modules.evaluate(
        """async () => {
            const { startCaching } = await import("/offline/cache.js");
            const { keepZones, shiftAt } = await import("/text/zones.js");
            startCaching();
            shiftAt("Europe/Berlin", Date.now());
            keepZones();
        }"""
    )
    modules.reload()
    words = modules.evaluate(
        """async (language) => {
            Intl.DateTimeFormat = Intl.NumberFormat = () => { throw new Error("Intl was asked."); };
            const { setTimeZone } = await import("/app/clock.js");
            const { speak } = await import("/language/text.js");
            speak(language, {});
            const { ageText, dayAndTime, fullTime, longDate } = await import("/text/dates.js");
            const { measured, number } = await import("/text/numbers.js");
            setTimeZone("Europe/Berlin");
            const at = Date.now() - 36 * 3_600_000;
            return [ageText(36 * 3_600_000, at), dayAndTime(at), fullTime(at), longDate(at), measured(1.25), number(5400)];
        }""",
        language,
    )
    modules.reload()
    assert all(words) and words[-2:] == numbers


@pytest.mark.parametrize("tag, locale", [("en", "en-GB"), ("de", "de"), ("fr", "fr")])
def test_names_and_numbers_are_those_of_the_language(modules, tag, locale):
    """English and German from tables of their own; French, which has none, by `Intl`."""
    modules.reload()
    wrong = modules.evaluate(
        """async ([tag, locale]) => {
            const { speak } = await import("/language/text.js");
            if (tag !== "en") speak(tag, {});
            const civil = await import("/text/civil.js");
            const { number } = await import("/text/numbers.js");
            const said = (options, date) => new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options }).format(date);
            const wrong = [];
            const same = (ours, theirs) => { if (ours !== theirs) wrong.push([ours, theirs]); };
            for (let n = 0; n < 800; n += 1) {
                const date = new Date(Date.UTC(2025, 0, 1) + n * 86_400_000);
                const day = date.toISOString().slice(0, 10);
                same(civil.shortDay(day), said({ day: "numeric", month: "short" }, date));
                same(civil.fullDay(day), said({ day: "numeric", month: "long", year: "numeric" }, date));
                same(civil.weekdayOf(day), said({ weekday: "short" }, date));
                const longDay = said({ weekday: "long", day: "numeric", month: "long" }, date);
                same(civil.longDay(day), tag === "en" ? longDay.replace(",", "") : longDay);
                same(civil.shortMonth(day), said({ month: "short" }, date));
                same(civil.monthOf(day.slice(0, 7), "2025"),
                    said({ month: "long", ...(n < 365 ? {} : { year: "numeric" }) }, date));
            }
            for (let n = -40_000; n < 40_000; n += 1) {
                for (const decimals of [0, 1, 2]) {
                    const value = n < 0 ? n * n / 8 : n * Math.PI;
                    const theirs = new Intl.NumberFormat(locale, { maximumFractionDigits: decimals });
                    same(number(value, decimals), theirs.format(value));
                    // With a true minus (U+2212), as charts have it.
                    if (value > 1) same(number(-value, decimals), `\u2212${theirs.format(value)}`);
                }
                n += 12;
            }
            same(number(-0.2, 0), "0");
            return wrong;
        }""",
        [tag, locale],
    )
    assert wrong == []


def test_what_a_companion_declares_is_said_in_the_language_of_the_page(modules):
    said = modules.evaluate(
        """async () => {
            const { speak } = await import("/language/text.js");
            const { declare, declarations, titled } = await import("/app/declarations.js");
            speak("de", { Plants: "Pflanzen", "Plants work without it.": "Die Pflanzen kommen ohne aus.", "the pads": "die Pads" });
            declare([{ slug: "plants", title: "Plants", paint: "moss", withoutHTTPS: "Plants work without it.",
                instead: { midi: "the pads" } }]);
            // As the hub lists them; it may have one that this build has not.
            return [declarations(), titled({ slug: "plants", title: "Plants" }), titled({ slug: "other", title: "Other" })];
        }"""
    )
    assert said == [
        [{"slug": "plants", "title": "Pflanzen", "paint": "moss", "withoutHTTPS": "Die Pflanzen kommen ohne aus.",
          "instead": {"midi": "die Pads"}}],
        {"slug": "plants", "title": "Pflanzen"}, {"slug": "other", "title": "Other"},
    ]  # fmt: skip


def test_the_point_of_an_abbreviation_ends_its_sentence_too(modules):
    said = modules.evaluate(
        """async () => {
            const { speak, t } = await import("/language/text.js");
            speak("de", { "silent for %@.": "schweigt seit %@.", "%@. Then %@.": "%@. Dann %@.", "%@, still": "%@, noch" });
            return [t`silent for ${"18 Std."}.`, t`${"2 Min."}. Then ${"3 Min."}.`, t`${"18 Std."}, still`, t`silent for ${"immer"}.`,
                t`silent for ${"…"}.`];
        }"""
    )
    # As German is spelt: after an abbreviation's point the sentence has none of its own.
    assert said == ["schweigt seit 18 Std.", "2 Min. Dann 3 Min.", "18 Std., noch", "schweigt seit immer.", "schweigt seit …."]
    modules.reload()
