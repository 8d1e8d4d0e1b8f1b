import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { sheet } from "../../elements/sheet.js";
import { stylesheet } from "../../elements/stylesheet.js";
import { toast } from "../../elements/toast.js";
import { put } from "../../app/api.js";
import { engine } from "../../engine/engine.js";
import { t } from "../../language/text.js";
import { overview } from "../overview.js";
import { beats } from "./calibration-beats.js";
import { keepCalibration, keepHeard } from "./stored-links.js";
import { LINK } from "../engine-constants.js";
import { spreadText } from "./link-text.js";

const TENTHS = 10; // of a millisecond
const NAMES = { [LINK.screen]: "screen", [LINK.keyboard]: "keyboard", [LINK.midi]: "midi", [LINK.bluetoothMIDI]: "bluetoothMIDI" };

/**
 * How long this device takes: taps to flashes without sound, from light to hit; taps to clicks with the eyes off the
 * screen, from sound to hit. The arithmetic is the engine's. What it finds by light is stored on this device and sent
 * to the hub, since reaction times count from the light; what it finds by sound is shown beside it, to compare.
 * @param {import("./link.js").Link?} link  null: the screen and the keyboard
 * @param {{closed?: () => void}} [options]
 */
export function openCalibration(link, options = {}) {
    const { closed } = options;
    stylesheet("drums/links/links.css");
    // Drums that measure by a clock of their own have nothing to be calibrated: it is about the screen then.
    if (link?.hasOwnClock || !link?.isOn) link = null;
    const found = {};
    const body = make("div", { class: "stack calibration" });
    let round = null;
    const opened = sheet(t`Measure the delay`, {
        body: [body], closed: () => {
            round?.stop();
            closed?.();
        },
    });
    opened.node.classList.add("link-chooser");
    const actions = (...buttons) => make("div", { class: "sheet-actions" }, buttons);

    const explain = () => fill(body,
        make("p", {}, t`Every screen, sound and pad takes a moment. Tap along, and Tandem knows how long, so that it is no part of anybody’s reaction time.`),
        make("ol", { class: "calibration-parts" },
            make("li", {}, icon("sun"), make("span", {}, make("b", { class: "strong" }, t`With flashes`), " ", t`half a minute, without sound`)),
            make("li", {}, icon("sound"), make("span", {}, make("b", { class: "strong" }, t`With clicks`), " ", t`half a minute, eyes closed, to compare`))),
        make("p", { class: "small second" }, how(link)),
        actions(button(t`Start with flashes`, { kind: "primary", press: () => play("flash") })));

    const play = async (sense) => {
        const isFlash = sense === "flash";
        const target = make("button", { class: "calibration-target", type: "button", "aria-label": t`Tap here` },
            icon(isFlash ? "sun" : "sound"));
        const count = make("p", { class: "small second", role: "status" });
        fill(body, make("p", { class: "calibration-say" }, isFlash ? t`Tap with each flash.` : t`Close your eyes. Tap with each click.`),
            target, count, actions(button(t`Stop`, { kind: "quiet", press: () => { round?.stop(); explain(); } })));
        target.focus();
        const taps = tapsOf(target, link, opened.signal, (n) => { count.textContent = n > 0 ? t`${n} taps` : isFlash ? t`Just watch first.` : t`Just listen first.`; });
        round = beats(sense, { flash: (on) => { target.dataset.flash = on ? "on" : ""; }, signal: opened.signal });
        const times = await round.ended;
        taps.stop();
        if (!times || opened.signal.aborted) return;
        await judge(sense, taps.taken, times);
    };

    const judge = async (sense, taps, times) => {
        const { kind, list } = mostOf(taps, link);
        const { isTooFew: few, isTooScattered, ...data } = await calibrate(list, times);
        if (few || isTooScattered) {
            const limits = overview.data?.limits?.calibration;
            fill(body, notice({
                icon: "info", state: "unknown", title: few ? t`Too few taps` : t`Too far apart`,
                words: few ? fewText(data.count, limits?.taps.least) : scatteredText(limits?.scatterMilliseconds),
            }), actions(button(t`Try again`, { kind: "primary", icon: "refresh", press: () => play(sense) })));
            return;
        }
        found[sense] = { kind, ...data };
        if (sense === "flash") between();
        else result();
    };

    const line = (title, one, sign) => make("li", {}, icon(sign), make("span", {},
        make("b", { class: "strong" }, title), " ", spreadText(one)));
    const between = () => fill(body,
        make("ul", { class: "calibration-parts" }, line(t`From light to hit:`, found.flash, "sun")),
        make("p", { class: "small second" }, t`Now the same by ear. Close your eyes, or look away.`),
        actions(button(t`Go on with clicks`, { kind: "primary", press: () => play("click") }),
            button(t`Keep only this`, { kind: "quiet", press: store })));
    const result = () => {
        const apart = (found.click.median - found.flash.median) / TENTHS;
        fill(body,
            make("ul", { class: "calibration-parts" }, line(t`From light to hit:`, found.flash, "sun"),
                line(t`From sound to hit:`, found.click, "sound")),
            make("p", { class: "small second" }, apartText(apart), " ",
                t`Most people tap a little ahead of a beat they expect, some 20 to 50 ms: both figures are that much too short, but their difference is not. Reaction times count from the light, so its figure is the one that is kept.`),
            actions(button(t`Keep`, { kind: "primary", icon: "check", press: store }),
                button(t`Do it again`, { kind: "quiet", icon: "undo", press: explain })));
    };
    const store = async () => {
        const { kind, median, lower, upper, count } = found.flash;
        keepCalibration(kind, { median, lower, upper, count, at: Date.now() });
        if (found.click) keepHeard(found.click.kind, found.click.median);
        opened.close();
        toast(t`Kept on this device.`);
        const person = overview.here();
        if (!person?.mayDecide) return;
        // The hub shows it with the person's settings; what counts is this device's own.
        put(`/api/drums/people/${encodeURIComponent(person.id)}/latency/${NAMES[kind]}`, {
            tenths: median, lowerTenths: lower, upperTenths: upper, taps: count,
        }).catch((error) => console.info("The hub was not told of the calibration.", error)); // not shown: for the console
    };
    explain();
    return opened;
}

function fewText(count, least) {
    return least ? t`${count} taps were near a beat, and ${least} are needed: tap with each one.`
        : t`${count} taps were near a beat, and that is too few: tap with each one.`;
}

function scatteredText(milliseconds) {
    return milliseconds
        ? t`Half of the taps lie more than ${milliseconds} ms apart, so their middle says little. Try again, as evenly as you can.`
        : t`The taps lie too far apart, so their middle says little. Try again, as evenly as you can.`;
}

/** @param {number} apart  milliseconds by which the sound comes later */
function apartText(apart) {
    if (Math.abs(apart) < 1) return t`Sound and light come together here.`;
    const milliseconds = Math.round(Math.abs(apart));
    return apart > 0 ? t`The sound comes ${milliseconds} ms after the light here.`
        : t`The sound comes ${milliseconds} ms before the light here.`;
}

function how(link) {
    if (link) return t`Tap on one pad of ${link.name}, as hard as in a song.`;
    return t`Tap on the screen as you play: with a finger, or with one of the keys F G H J.`;
}

/** Collects the moments of taps, by the link that they came over. */
function tapsOf(target, link, outer, tell) {
    const ending = new AbortController();
    const signal = AbortSignal.any([outer, ending.signal]);
    const taken = [];
    const take = (kind, at) => {
        taken.push({ kind, at });
        tell(taken.length);
    };
    if (link) link.addEventListener("note", ({ detail }) => take(link.kind, detail.at), { signal });
    else {
        target.addEventListener("pointerdown", (event) => take(LINK.screen, event.timeStamp), { signal });
        addEventListener("keydown", (event) => {
            if (event.repeat || !["f", "g", "h", "j", " "].includes(event.key.toLowerCase())) return;
            event.preventDefault();
            take(LINK.keyboard, event.timeStamp);
        }, { signal });
    }
    tell(0);
    return { taken, stop: () => ending.abort() };
}

/** The taps of the link that most came over: a stray touch of the other is none. */
function mostOf(taps, link) {
    const by = Map.groupBy(taps, ({ kind }) => kind);
    const [kind, list] = [...by].toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [link?.kind ?? LINK.screen, []];
    return { kind, list };
}

/** The engine's arithmetic over taps and the beats that were given. */
async function calibrate(taps, { at, period, from, to }) {
    const math = await engine("drums");
    const offsets = taps.filter((tap) => tap.at >= from && tap.at <= to).map((tap) => {
        const nearest = at.reduce((best, one) => (Math.abs(one - tap.at) < Math.abs(best - tap.at) ? one : best));
        return math.call.tapOffset(Math.round((tap.at - nearest) * 1000), Math.round(period * 1000));
    });
    const bytes = new DataView(new ArrayBuffer(offsets.length * 4));
    offsets.forEach((one, index) => bytes.setInt32(index * 4, one, true));
    return math.view("calibration", math.put(new Uint8Array(bytes.buffer)));
}
