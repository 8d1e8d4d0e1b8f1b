import { messageOf } from "../../app/problem.js";
import { signIn } from "../../app/sign-in.js";
import { button } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { fill, make, text } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { sheet } from "../../elements/sheet.js";
import { deliveryNotice } from "../../offline/delivery-notice.js";
import { number } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { motionSource } from "../measure/motion-sensors.js";

/**
 * Records what a page measures: stored on this device as it comes, and in the hub when it is there.
 * @param {import("../measure/measuring.js").Measuring} measuring
 * @param {number[]} kinds  of `KIND`
 * @param {AbortSignal} signal  of the screen
 * @param {{experiment?: string, sourceOf?: (kind: number) => number}} [options]  `sourceOf`: what a kind comes from, where that is
 *   not the browser's motion events
 */
export function recordButton(measuring, kinds, signal, options = {}) {
    const press = button(t`Record`, { icon: "record", press: () => (active ? stop() : begin()) });
    const status = make("div", { class: "record-status", "aria-live": "polite" });
    const said = make("span", { class: "words" });
    let active = null;
    let timer = null;

    const sourceOf = options.sourceOf ?? motionSource;

    async function begin() {
        fill(status);
        try {
            if (!measuring.isRunning) await measuring.start();
            if (!measuring.isRunning) return; // the page says why
            const { beginRecording } = await import("./active-recordings.js");
            active = await beginRecording(signIn.profile, {
                streams: kinds.map((kind) => ({ kind, source: sourceOf(kind) })), hertz: measuring.hertz,
                experiment: options.experiment ?? "", name: "",
            });
        } catch (error) {
            fill(status, problemNotice(error, { title: t`Not recorded` }));
            return;
        }
        measuring.tap = (...values) => active?.sample(...values);
        active.addEventListener("trouble", (/** @type {any} */ { detail }) => fill(status, problemNotice(detail)));
        timer = setInterval(show, 500);
        draw();
    }

    async function stop() {
        const ended = active;
        active = null;
        measuring.tap = null;
        clearInterval(timer);
        draw();
        await ended.stop();
        if (!ended.stuck) await follow(ended.stored.id);
    }

    /** Says where a recording is that has ended: here, or with the hub. */
    async function follow(id) {
        const { outbox } = await import("../../offline/outbox.js");
        const where = make("div", { class: "stack" });
        const watching = new AbortController();
        const look = async () => {
            const entries = await outbox.entries().catch(() => []);
            if (watching.signal.aborted) return;
            const entry = entries.find(({ queue }) => queue === id) ?? null;
            fill(where, deliveryNotice(entry, t`Recorded. It is kept here until the hub has it.`)
                ?? make("p", { class: "away small second" }, icon("check", "s"), t`Recorded. The hub has it.`));
            if (!entry || !where.isConnected) watching.abort();
        };
        fill(status, where, make("div", { class: "row-of-buttons" },
            make("a", { class: "button", href: "/lab/recordings" }, t`Show the recordings`)));
        await look();
        for (const event of /** @type {const} */ (["changed", "delivered", "failed"])) {
            outbox.addEventListener(event, look, { signal: AbortSignal.any([signal, watching.signal]) });
        }
    }

    function show() {
        const samples = kinds.reduce((sum, kind) => sum + active.recorded(kind), 0);
        const seconds = (Date.now() - (active.stored.startedAt - active.stored.ahead)) / 1000;
        text(said, t`Recording: ${number(seconds, 0)} s, ${samples} samples`);
    }

    function draw() {
        press.lastChild.textContent = active ? t`End the recording` : t`Record`;
        press.querySelector("use").setAttribute("href", active ? "#icon-stop" : "#icon-record");
        if (!active) return;
        show();
        fill(status, make("div", { class: "status-line", data: { state: "here" } }, icon("record"), said),
            make("div", { class: "row-of-buttons" },
                button(t`Write something down`, { icon: "edit", press: () => noteSheet(active) })));
    }

    measuring.addEventListener("change", () => { if (!measuring.isRunning && active) stop().catch((error) => console.info(messageOf(error))); },
        { signal });
    // Whoever leaves the page ends what it records; the page's own end is seen by its recording.
    signal.addEventListener("abort", () => { if (active) stop().catch((error) => console.info(messageOf(error))); });
    return { node: press, status, get isRecording() { return active !== null; }, begin, stop: async () => { if (active) await stop(); } };
}

/** What somebody writes down while it is recorded stands at that moment. */
function noteSheet(active) {
    const words = field({ label: t`What happened just now?`, name: "text", required: true, attributes: { maxlength: 500, autofocus: true } });
    const name = field({ label: t`Name of the recording`, name: "name", attributes: { maxlength: 120 } });
    const note = sheet(t`Write something down`, {
        body: [
            form({
                fields: [words], word: t`Write it down`, icon: "check",
                send: async () => {
                    if (!active.annotate(words.value.trim())) return words.problem(t`That is too long. Use fewer words.`);
                    note.close();
                },
            }),
            form({
                fields: [name], word: t`Give it this name`, isPlain: true,
                send: async () => {
                    if (!active.name(name.value.trim())) return name.problem(t`That is too long. Use fewer words.`);
                    note.close();
                },
            }),
        ],
    });
}
