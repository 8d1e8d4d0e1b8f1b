import { t } from "../../language/text.js";
import { PADS } from "../pads.js";
import { listed, minuteText, timeIn } from "../../text/civil.js";
import { durationText } from "../../text/durations.js";
import { counted, number } from "../../text/numbers.js";
import { lateText } from "./timing.js";

const MINUTE = 60_000; // milliseconds
const DAY = 1440; // minutes
const SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const ENDS = {
    finished: "all the way to the end", stopped: "stopped before the end", left: "left before the end",
    minutesOver: t`until today’s minutes were over`, restNeeded: "until it was time for a rest",
    linkLost: "until the link was lost",
};
const WHY = {
    stopped: t`It was stopped by hand.`, left: t`The page went away and did not come back within half an hour.`,
    minutesOver: t`The plan’s minutes were over.`,
    restNeeded: t`The plan asks for a rest when too few of the last beats are right.`,
    linkLost: t`The link was lost, and nobody went on.`,
};
const LINKS = {
    screen: t`Screen`, keyboard: t`Keyboard`, bluetooth: "Bluetooth", wifi: "Wi-Fi", midi: "MIDI",
    bluetoothMIDI: "Bluetooth MIDI",
    imported: t`Taken from a file`,
};
const LEVELS = { both: "both hands", left: "left hand", right: "right hand" };

/** "five", "12". */
const few = (n) => SMALL[n] ?? number(n);
const times = (n) => (n === 1 ? "once" : n === 2 ? "twice" : `${few(n)} times`);

/** "Ode to Joy, all the way to the end". */
export function sayOf({ song, end }) {
    return `${song.title}, ${ENDS[end] ?? "not ended"}`;
}

/** "28 of 35 beats right at once. The music waited five times, and the link was lost for 14 seconds." */
export function leadOf({ right, judged, waits, lostMilliseconds, mode }) {
    const more = [
        waits > 0 && `the music waited ${times(waits)}`,
        lostMilliseconds >= 500 && `the link was lost for ${secondsText(lostMilliseconds)}`,
    ].filter(Boolean);
    const first = judged === 0 ? t`No beat was answered.` : t`${number(right)} of ${counted(judged, "beat")} right ${
        mode === "flow" ? "and on the beat" : "at once"}.`;
    if (more.length === 0) return first;
    return `${first} ${more.map((one, i) => (i === 0 ? `${one[0].toUpperCase()}${one.slice(1)}`
        : one)).join(", and ")}.`;
}

/** The readouts of the header: `[name, value, unit, below]`. */
export function factsOf(session) {
    const { reaction, force, forceDrums, link, links, drums, level, hands, chart, mode, timing } = session;
    const tempo = chart?.tempo?.[0]?.beatsPerMinute;
    const quartiles = ({ lower, upper, n }) =>
        `half between ${number(lower)} and ${number(upper)}, n\u00A0=\u00A0${number(n)}`;
    const with_ = drums?.every(Boolean) ? "all four drums"
        : listed(PADS.filter((_, i) => drums?.[i]).map(({ word }) => word.toLowerCase()));
    const kinds = (links?.length > 0 ? links : [link]).map((one) => LINKS[one] ?? one).join(", ");
    return [
        // Where the music goes on, one plays ahead of the light: what lies between light and hit is no reaction.
        mode === "flow" ? [t`Late`, timing ? lateText(timing.median) : "–", timing && "ms", timing
            ? `half between ${lateText(timing.lower)} and ${lateText(timing.upper)}, n\u00A0=\u00A0${timing.n}`
            : "no hit that tells"]
            : reaction ? [t`Reaction`, number(reaction.median), "ms", quartiles(reaction)]
                : [t`Reaction`, "–", null, "no time that counts"],
        force ? [t`Force`, number(force.median), null,
            `no unit, ${listed((forceDrums ?? []).map((i) =>
                PADS[i].word.toLowerCase()))} only, n\u00A0=\u00A0${number(force.n)}`]
            : [t`Practised`, durationText(session.milliseconds / 1000), null,
                mode === "flow" ? "without pauses" : "with the time that the music waited"],
        tempo && [t`Tempo`, number(tempo, 1), "a minute",
            [`level ${level}`, with_, hands !== "both" && LEVELS[hands]].filter(Boolean).join(", ")],
        linkFact(session, kinds),
    ].filter(Boolean);
}

/** How long the link took: as the session measured it, or what tapping had found of one without a clock of its own. */
function linkFact({ latency, latencySet, link, clock }, kinds) {
    if (latency) return [t`Link`, number(latency.median, 1), "ms", t`${kinds}, median of ${counted(latency.n, "hit")}`];
    if (latencySet > 0) return [t`Link`, number(latencySet, 1), "ms", `${kinds}, as tapped; taken off each reaction`];
    return [t`Link`, kinds, null, clock === "page" ? t`not calibrated: part of each reaction`
        : link === "imported" ? "the file does not tell how long it took" : "not measured"];
}

/** What happened besides, each `{icon, name, more}`, in the order of time. */
export function happenedOf(session, zone) {
    const at = (ms) => exactTime(session, zone, ms);
    const rows = (session.happened ?? []).map((one) => happeningOf(one, session, at)).filter(Boolean);
    if (session.end && session.end !== "finished" && !session.happened?.some(({ what }) => what === "closed")) {
        rows.splice(-1, 0, { icon: "stop", name: `${at(session.endedAt)}, ended`, more: WHY[session.end] });
    }
    return rows;
}

function happeningOf(one, session, at) {
    const beats = (n) => (n > 0 ? t`${cap(few(n))} ${n === 1 ? "beat was" : "beats were"} not judged. ` : "");
    switch (one.what) {
        case "linkLost":
            // The page asks again for a drum whose answer did not come.
            if (one.milliseconds === 0 && !one.to) {
                return { icon: "radio", name: `${at(one.at)}, a drum was asked for again`, more: t`No answer had come.` };
            }
            return {
                icon: "radio",
                name: !Number.isFinite(one.milliseconds) ? t`${at(one.at)}, link lost`
                    : t`${at(one.at)}, link lost for ${secondsText(one.milliseconds)}`,
                more: beats(one.beats) + (!Number.isFinite(one.milliseconds) ? t`It did not come back.`
                    : one.to && one.to !== one.link ? t`The session went on with: ${LINKS[one.to] ?? one.to}.`
                        : t`The session went on by itself.`),
            };
        case "paused":
            return {
                icon: "pause", name: `${at(one.at)}, paused${!Number.isFinite(one.milliseconds) ? ""
                    : ` for ${secondsText(one.milliseconds)}`}`,
                more: t`Not counted as practice.`,
            };
        case "takenUp":
            return { icon: "phone", name: `${at(one.at)}, taken up again`,
                more: t`Nobody played for ${secondsText(one.milliseconds)}. The session went on where it was.` };
        case "closed":
            return { icon: "hub", name: `${at(one.at)}, closed by the hub`,
                more: t`${WHY[one.end] ?? ""} What was played until then is kept.` };
        case "stored":
            return {
                icon: "hub", name: `Stored by the hub at ${at(one.at)}`,
                more: session.link === "imported"
                    ? t`Taken from a file of the original, and computed anew from its messages.`
                    : t`Played again from its ${counted(session.eventCount,
                        "event")} by engine ${session.engineVersion}: ${
                        session.isClosedByHub ? "the page had told of no result."
                            : session.claim ? "another result than the page’s, see below." : "same result."}`,
            };
        default: return null;
    }
}

/** The hub counted the same events differently than the page: both are said. */
export function claimText({ claim, right, answered, reaction }) {
    if (!claim) return null;
    const side = (who, of, median) => t`${who}: ${number(of.right)} right of ${number(of.answered)} answered${
        !Number.isFinite(median) ? "" : `, median ${number(median)} ms`}`;
    return t`${side("The page", claim, claim.median)}. ${side("The hub", { right, answered },
        reaction?.median)}. The hub’s result stands.`;
}

export function linkWord(link) {
    return LINKS[link] ?? link;
}

/** When it began, by the clocks where it was played; else, as of one that waits, by those of a zone. */
export function beganAt({ startedAt, minute }, zone) {
    return Number.isFinite(minute) ? minuteText(minute) : timeIn(zone, startedAt);
}

/** "16:43:31", likewise. */
function exactTime({ startedAt, minute }, zone, at) {
    const seconds = String(new Date(at).getUTCSeconds()).padStart(2, "0");
    if (!Number.isFinite(minute)) return `${timeIn(zone, at)}:${seconds}`;
    const passed = Math.floor(at / MINUTE) - Math.floor(startedAt / MINUTE);
    return `${minuteText((((minute + passed) % DAY) + DAY) % DAY)}:${seconds}`;
}

const secondsText = (ms) => durationText(Math.max(1, Math.round(ms / 1000)));
const cap = (words) => words[0].toUpperCase() + words.slice(1);
