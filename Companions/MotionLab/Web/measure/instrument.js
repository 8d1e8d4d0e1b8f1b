import { button } from "../../elements/button.js";
import { header } from "../../elements/header.js";
import { fill, make, text } from "../../elements/make.js";
import { segmented } from "../../elements/segmented.js";
import { wakeLock } from "../../elements/wake-lock.js";
import { figure, number } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { recordButton } from "../recordings/record-button.js";
import { costTable } from "./cost-table.js";
import { Measuring } from "./measuring.js";
import { sensorNotice } from "./sensor-notice.js";

/** The rate of the original's gyroscope page, a second. */
export const ORIGINAL_HERTZ = 15;

/**
 * A page of the lab: what is measured in its header, with start and stop, and below it what becomes of it and what it
 * costs.
 * @param {{screen: HTMLElement, signal: AbortSignal, title: (words: string) => void}} place
 * @param {{name: string, idle: string, over?: string, lead: string, kind: number, kinds?: number[], rates?: number[], hertz?: number,
 *   figure?: Node, readouts?: Node, sections: Node[], experiment?: string, sourceOf?: (kind: number) => number, back?: {href: string, word: string},
 *   open: (take: (...values: number[]) => void, signal: AbortSignal, fail: (trouble: any) => void) => Promise<void>,
 *   draw: (now: number, measuring: Measuring) => void, words: (measuring: Measuring) => string?}} page  `kind`: whose rate
 *   is said; `kinds`: which are recorded, none where there is no recording; `words`: the sentence while it runs
 */
export function instrument({ screen, signal, title }, page) {
    title(page.name);
    const rate = make("span", { class: "fine" });
    const press = button(t`Start`, { kind: "primary", size: "l", wide: true, icon: "play" });
    const trouble = make("div", { "aria-live": "polite" });
    const rates = page.rates && segmented(t`Samples a second`,
        page.rates.map((one) => ({ value: String(one), word: one === 0 ? t`All` : number(one) })),
        String(page.hertz ?? 0), (chosen) => measuring.want(Number(chosen)));
    const measuring = new Measuring(signal, {
        open: page.open,
        draw: (now) => page.draw(now, measuring),
        slow: () => say(),
    });
    measuring.hertz = page.hertz ?? 0;
    const record = page.kinds && recordButton(measuring, page.kinds, signal, page);
    const top = header({
        back: page.back ?? { href: "/lab", word: t`Lab` }, say: page.idle, lead: page.lead,
        above: make("p", { class: "instrument-name" }, make("b", { class: "strong" }, page.name), " ", rate),
        below: [page.figure, page.readouts, make("div", { class: "start-stop" }, press, record?.node), trouble],
    });
    const rateField = rates && make("div", { class: "field" }, make("span", { class: "label" }, t`Samples a second`), rates);
    screen.append(top.node, make("div", { class: "content lab-content" }, page.sections[0], record?.status, page.sections.slice(1), rateField,
        costTable(measuring, signal)));
    screen.dataset.instrument = "";
    const light = wakeLock(signal);
    press.addEventListener("click", () => (measuring.isRunning ? measuring.stop() : start()));

    function start() {
        press.disabled = true;
        return measuring.start().finally(() => { press.disabled = false; });
    }
    function show() {
        const { isRunning } = measuring;
        screen.dataset.state = isRunning ? "running" : "stopped";
        press.lastChild.textContent = isRunning ? t`Stop` : t`Start`;
        press.querySelector("use").setAttribute("href", isRunning ? "#icon-stop" : "#icon-play");
        press.dataset.kind = isRunning ? "" : "primary";
        fill(trouble, measuring.trouble && sensorNotice(measuring.trouble, start));
        top.lead.hidden = isRunning;
        if (!isRunning) text(top.lead, page.lead);
        if (isRunning) light.hold();
        else {
            light.release();
            rate.textContent = "";
            if (!measuring.startedAt) top.say.textContent = page.idle;
            else if (page.over) top.say.textContent = page.over;
        }
    }
    function say() {
        const sensed = measuring.sensor(page.kind);
        const wanted = measuring.hertz;
        rate.textContent = Number.isNaN(sensed.hertz) ? "" : wanted > 0
            ? t`${figure(sensed.hertz, 1)} of ${number(wanted)} a second arrive` : t`${figure(sensed.hertz, 1)} a second arrive`;
        // It also ends what has its time, whatever the sensor does.
        const words = page.words(measuring);
        if (!measuring.isRunning) return;
        text(top.say, wordsOf(sensed) ?? words ?? page.idle);
        const help = helpWith(sensed);
        top.lead.hidden = !help;
        if (help) text(top.lead, help);
    }
    /** What to do where the sensor gives nothing, or nothing that can be used. */
    function helpWith({ isWaiting, isSilent, isStuck, refused }) {
        if (isWaiting && refused > 0) return t`Part of a value is no value, so nothing is shown. Another browser on this phone may do better.`;
        if (isSilent) return t`Nothing has come for a while. Keep this page in front and the screen on. If nothing comes then, press Stop and Start once more.`;
        if (isStuck) return t`A real sensor is never still to the last digit. Move the phone: if nothing changes, close other apps that use the sensor, and load this page again.`;
        return null;
    }
    function wordsOf({ isWaiting, isSilent, isStuck, refused }) {
        if (isWaiting) return refused > 0 ? t`This phone sends only part of each value` : t`Waiting for the sensor`;
        if (isSilent) return t`The sensor has stopped`;
        if (isStuck) return t`The sensor says the same all the time`;
        return null;
    }
    measuring.addEventListener("change", show, { signal });
    show();
    return measuring;
}

/**
 * Numbers of a header, each with its unit, that are said some times a second.
 * @param {Array<{name: Node|string|Array, unit: string}>} all
 */
export function liveReadouts(all) {
    const values = all.map(() => make("dd", { class: "live-number" }, "–"));
    const node = make("dl", { class: "readouts axes" }, all.map(({ name, unit }, i) => make("div", {},
        make("dt", {}, name), values[i], make("dd", {}, unit))));
    return {
        node,
        /** @param {number} place @param {number} value  NaN for nothing @param {number} decimals */
        set(place, value, decimals) { text(values[place], figure(value, decimals)); },
    };
}
