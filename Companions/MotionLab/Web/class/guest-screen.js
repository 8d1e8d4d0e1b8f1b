import { get, isAborted } from "../../app/api.js";
import { engine } from "../../engine/engine.js";
import { button } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { section } from "../../elements/header.js";
import { wordmark } from "../../elements/icon.js";
import { fill, make, text } from "../../elements/make.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { confirm } from "../../elements/sheet.js";
import { wakeLock } from "../../elements/wake-lock.js";
import { t } from "../../language/text.js";
import { number } from "../../text/numbers.js";
import { readSound } from "../experiments/sound-level.js";
import { drawn } from "../measure/gyroscope-screen.js";
import { liveReadouts } from "../measure/instrument.js";
import { KIND, SOURCE } from "../engine-constants.js";
import { liveChart, stroke } from "../measure/live-chart.js";
import { Measuring } from "../measure/measuring.js";
import { motionSource, permitMotion, readMotion, SensorTrouble } from "../measure/motion-sensors.js";
import { sensorNotice } from "../measure/sensor-notice.js";
import { EXPERIMENTS, inOneLine, sensorName } from "../recordings/recording-text.js";
import { askAsGuest, membership } from "./guest-api.js";
import { GuestRecording } from "./guest-recording.js";

const AGAIN = 2000; // milliseconds after which the hub is asked again, when it is away
const MOTION = [KIND.accelerometer, KIND.linearAcceleration, KIND.gyroscope];
const LEAST = { accelerometer: 1, linearAcceleration: 1, gyroscope: 1, sound: 60 };

/**
 * The page of a guest of a class: whoever has its code, without an account. They say a name if they like, get their phone
 * ready, and measure when all do.
 */
export async function openGuest({ screen, signal, title }) {
    title(t`Class`);
    const code = decodeURIComponent(location.hash.slice(1));
    const token = membership.get();
    if (token) {
        try {
            const state = await askAsGuest("GET", "", { token, signal });
            return await inClass({ screen, signal, title, token, state });
        } catch (error) {
            if (isAborted(error)) return;
            if (error.status !== 401 && error.status !== 404) {
                const top = guestHeader(t`The hub does not answer`);
                return fill(screen, top.node, make("div", { class: "content" },
                    problemNotice(error, { retry: () => openGuest({ screen, signal, title }) })));
            }
            membership.set(null);
        }
    }
    join({ screen, signal, title, code });
}

function guestHeader(say, ...below) {
    const words = make("h1", { class: "say", tabindex: "-1" }, say);
    const lead = make("p", { class: "lead" });
    const who = make("span", { class: "small guest-name" });
    const node = make("header", { class: "header" },
        make("div", { class: "header-bar" }, make("span", { class: "header-name" }, wordmark("home-word")), who), words, lead, below);
    return { node, say: words, lead, who };
}

/** The way in: the code, which the link has brought, and a name of the pupil's own choosing. */
function join({ screen, signal, title, code: carried }) {
    const top = guestHeader(t`Measure with us`);
    top.lead.textContent = t`Your phone becomes an instrument of this class. You need no account.`;
    const code = field({
        label: t`Code of the class`, name: "code", value: carried, required: true,
        hint: t`It is on the screen in front, beside the picture that you scan.`,
        attributes: { autocapitalize: "none", spellcheck: "false", inputmode: "text" },
    });
    const name = field({
        label: t`What shall we call you?`, name: "name", hint: t`Any name you like, or none: then your phone is a number.`,
        attributes: { maxlength: 40, autocomplete: "off" },
    });
    const content = make("div", { class: "content lab-content" }, form({
        fields: [code, name], word: t`Join in`, size: "l", icon: "forward",
        send: async () => {
            const { token, state } = await askAsGuest("POST", "", {
                json: { code: code.value.trim(), name: name.value.trim() || undefined },
            });
            membership.set(token);
            await inClass({ screen, signal, title, token, state });
        },
    }));
    fill(screen, top.node, content);
    (carried ? name : code).input.focus();
    if (!isSecureContext) safeWay(carried).then((way) => { if (way && !signal.aborted) content.prepend(way); });
}

/** Browsers give sensors to pages by HTTPS alone: where this one came without, the way there. */
async function safeWay(code) {
    const { origin } = await get(`/api/welcome?clock=${Date.now()}`, { quiet: true }).catch(() => ({ origin: null }));
    if (!origin) return null;
    return notice({
        icon: "lock", state: "problem", title: t`This page came without HTTPS`,
        words: t`A phone measures only on a page that nobody can listen to. Open it there. Your phone warns you first, because this hub vouches for itself: choose “Advanced”, then go on.`,
        actions: [make("a", { class: "button", href: `${origin}/lab/class#${encodeURIComponent(code)}`, target: "_self" }, t`Open it there`)],
    });
}

/** In the class: ready, waiting, measuring, sent, until it is over. */
async function inClass({ screen, signal: page, title, token, state: first }) {
    title(first.name);
    const ending = new AbortController();
    const signal = AbortSignal.any([page, ending.signal]);
    const sensors = first.sensors.filter((sensor) => sensor in LEAST);
    const kinds = sensors.map((sensor) => KIND[sensor]);
    const [shown] = kinds;
    const axes = shown === KIND.sound ? [""] : ["x", "y", "z"];
    const unit = shown === KIND.sound ? "dB" : shown === KIND.gyroscope ? "rad/s" : "g";
    const readouts = liveReadouts(axes.map((axis, i) => ({ name: axis ? [stroke(i), axis] : sensorName(sensors[0]), unit })));
    const chart = liveChart({
        title: t`What your phone measures`, label: t`What this phone measured in the last ten seconds`,
        axes: axes.length > 1 ? axes : ["p"], unit, least: LEAST[sensors[0]] ?? 1,
    });
    const ready = button(t`Get ready`, { kind: "primary", size: "l", wide: true, icon: "play" });
    const trouble = make("div", { "aria-live": "polite" });
    const sent = make("p", { class: "small second", "aria-live": "polite" });
    const top = guestHeader("", readouts.node, make("div", { class: "start-stop" }, ready), trouble);
    top.say.setAttribute("aria-live", "polite");
    screen.dataset.instrument = "";
    const recording = new GuestRecording(await engine("lab"), token, signal);
    if (page.aborted) return;
    const measuring = new Measuring(signal, {
        open: async (take, running, fail) => {
            if (kinds.includes(KIND.sound)) await readSound(measuring, take, running);
            const motion = new Set(kinds.filter((kind) => MOTION.includes(kind)));
            if (motion.size === 0) return;
            await permitMotion();
            readMotion(motion, take, running, (reason) => fail(new SensorTrouble(reason)));
        },
        draw: (now) => { silent = drawn(chart, measuring.engine, shown, now, axes.length); },
        slow: () => {
            const { x, y, z } = measuring.sensor(shown);
            axes.forEach((_, axis) => readouts.set(axis, [x, y, z][axis], shown === KIND.sound ? 0 : 2));
            chart.say({ came: null, silent });
            say();
        },
    });
    measuring.hertz = first.hertz;
    measuring.tap = (...values) => recording.sample(...values);
    const light = wakeLock(signal);
    let state = first;
    let silent = 0;
    let timers = [];
    let isOver = false;
    let isCounting = false;
    /** What the hub is being asked, and whether this phone was ready then. */
    let ask = { ready: false, again: () => {} };

    fill(screen, top.node, make("div", { class: "content lab-content" }, sent, chart.node,
        section(t`The experiment`, make("p", {}, first.experiment ? EXPERIMENTS[first.experiment] ?? first.experiment : inOneLine(sensors.map(sensorName))),
            make("p", { class: "small second" }, t`${number(first.hertz)} values a second of each sensor, for ${number(first.seconds)} s at most. Whoever leads the class starts and stops all phones, and sees what yours measures meanwhile. Nothing else of your phone is sent.`)),
        make("p", { class: "row-of-buttons" }, button(t`Leave the class`, { kind: "quiet", icon: "signout", press: askToLeave }))));
    top.who.textContent = first.guestName ?? t`Number ${first.number}`;
    ready.addEventListener("click", () => (measuring.isRunning ? rest() : start()));
    measuring.addEventListener("change", show, { signal });
    recording.addEventListener("change", say, { signal });
    addEventListener("pagehide", () => rest(), { signal });
    arrange();
    show();
    follow();

    async function start() {
        ready.disabled = true;
        await measuring.start().finally(() => { ready.disabled = false; });
        arrange();
    }
    /** This phone measures no longer; of a run that goes on, what there is is all. */
    function rest() {
        recording.stop();
        measuring.stop();
    }
    /** Begins and ends with all others, by the hub's clock. */
    function arrange() {
        timers.forEach(clearTimeout);
        timers = [];
        const { run } = state;
        if (!run?.isMeasuring || !state.isOpen) return recording.stop();
        const begins = recording.here(run.startsAtMicroseconds) - recording.now();
        const ends = recording.here(run.endsAtMicroseconds) - recording.now();
        timers.push(setTimeout(() => begin(run), Math.max(0, begins)), setTimeout(() => { recording.stop(); say(); }, Math.max(0, ends)));
    }
    function begin(run) {
        if (!measuring.isRunning || signal.aborted) return say();
        // What the hub has of it already came from before a reload: a recording that was ended is not begun twice.
        if (recording.run === run.number || state.recording?.receivedBytes > 0 || state.recording?.isWhole) return say();
        recording.begin(state, kinds.map((kind) => ({ kind, source: kind === KIND.sound ? SOURCE.lab : motionSource() })));
        say();
    }
    function show() {
        const { isRunning } = measuring;
        if (isRunning !== ask.ready) ask.again(); // whoever leads the class sees who is ready
        screen.dataset.state = isRunning ? "running" : "stopped";
        ready.lastChild.textContent = isRunning ? t`Stop my phone` : t`Get ready`;
        ready.querySelector("use").setAttribute("href", isRunning ? "#icon-stop" : "#icon-play");
        ready.dataset.kind = isRunning ? "" : "primary";
        fill(trouble, measuring.trouble && sensorNotice(measuring.trouble, start));
        if (isRunning) light.hold();
        else {
            light.release();
            recording.stop();
        }
        say();
    }
    function say() {
        if (isOver || signal.aborted) return;
        const { run } = state;
        const left = run?.isMeasuring ? recording.here(run.endsAtMicroseconds) - recording.now() : 0;
        const until = run?.isMeasuring ? recording.here(run.startsAtMicroseconds) - recording.now() : 0;
        // A sentence that counts is read aloud as it begins, and not every second.
        const counts = measuring.isRunning && (recording.isMeasuring || until > 0);
        top.say.setAttribute("aria-live", counts && isCounting ? "off" : "polite");
        isCounting = counts;
        text(top.say, sentence(left, until));
        text(top.lead, !measuring.isRunning ? t`Your phone asks whether this page may use its sensors: allow it.`
            : recording.isMeasuring ? t`Do what your class does, and leave this page open.` : t`Leave this page open. It begins by itself, at the same moment on all phones.`);
        text(sent, sentWords());
    }
    function sentence(left, until) {
        if (!measuring.isRunning) return state.run?.isMeasuring ? t`The class is measuring: get ready` : t`Get your phone ready`;
        if (measuring.engine && measuring.sensor(shown).isSilent) return t`The sensor has stopped`;
        if (recording.isMeasuring) return t`Measuring: ${Math.max(0, Math.ceil(left / 1000))} s left`;
        if (until > 0) return t`It starts in ${Math.ceil(until / 1000)} s`;
        if (recording.run > 0 && !recording.isWhole && !recording.trouble) return t`Sending what you measured`;
        if (recording.run > 0 && !recording.isWhole && recording.trouble.unreachable) return t`What you measured waits for the hub`;
        return recording.run > 0 && recording.isWhole ? t`It has arrived` : t`Ready: wait for the start`;
    }
    function sentWords() {
        if (recording.trouble && !recording.isWhole) {
            return recording.trouble.unreachable ? t`The hub does not answer now. What you measured is kept here, and sent when it does: leave this page open.`
                : recording.trouble.message;
        }
        if (recording.isMeasuring) return t`${recording.samples} values so far`;
        return recording.run > 0 && recording.isWhole ? t`Run ${recording.run}: all of it is with the class.` : "";
    }

    /** How the class stands, asked again and again: the hub answers when something changes. */
    async function follow() {
        while (!signal.aborted) {
            const asking = new AbortController();
            ask = { ready: measuring.isRunning, again: () => asking.abort() };
            try {
                // One that is given up may come to the hub after the next.
                const asked = Math.round(performance.timeOrigin + performance.now());
                state = await askAsGuest("GET", `?seen=${state.version}&ready=${ask.ready ? 1 : 0}&asked=${asked}`, {
                    token, signal: AbortSignal.any([signal, asking.signal]),
                });
                arrange();
                show();
                if (!state.isOpen) return over(t`The class is over`);
            } catch (error) {
                if (signal.aborted) return;
                if (asking.signal.aborted) continue; // whether this phone is ready has changed
                if (error.status === 401 || error.status === 404) return over(t`You are not in the class any more`);
                await new Promise((done) => { setTimeout(done, AGAIN); });
            }
        }
    }
    async function over(words) {
        isOver = true;
        rest();
        timers.forEach(clearTimeout);
        membership.set(null);
        const end = () => {
            const lost = recording.run > 0 && !recording.isWhole;
            top.say.textContent = words;
            top.lead.textContent = lost ? t`Not all of your last recording has arrived.` : t`Thank you for measuring along. You can close this page.`;
            text(sent, "");
        };
        end();
        ready.remove();
        // What is still to be sent has ten minutes.
        recording.addEventListener("change", () => { end(); if (recording.isWhole) ending.abort(); });
        if (recording.run === 0 || recording.isWhole) ending.abort();
    }
    function askToLeave() {
        confirm({
            title: t`Leave the class?`, lead: t`What you measured stays with the class. To come back, you scan the code again.`, yes: t`Leave`,
            act: async () => {
                rest();
                await askAsGuest("DELETE", "", { token }).catch((error) => { if (error.status !== 401) throw error; });
                membership.set(null);
                ending.abort();
                isOver = true;
                top.say.textContent = t`You have left the class`;
                top.lead.textContent = t`You can close this page.`;
                fill(screen.querySelector(".content"), make("p", { class: "row-of-buttons" },
                    button(t`Join again`, { icon: "undo", press: () => join({ screen, signal: page, title, code: "" }) })));
                ready.remove();
            },
        });
    }
}

