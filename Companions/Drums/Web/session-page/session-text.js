import { t } from "../../language/text.js";
import { levelName } from "../levels.js";
import { PADS } from "../pads.js";
import { listed, minuteText, timeIn } from "../../text/civil.js";
import { durationText } from "../../text/durations.js";
import { number } from "../../text/numbers.js";
import { lateText } from "./timing.js";

const MINUTE = 60_000; // milliseconds
const DAY = 1440; // minutes
const ENDS = {
    finished: t`all the way to the end`, stopped: t`stopped before the end`, left: t`left before the end`,
    minutesOver: t`until today’s minutes were over`, restNeeded: t`until it was time for a rest`,
    linkLost: t`until the link was lost`,
};
const WHY = {
    stopped: t`It was stopped by hand.`, left: t`The page went away and did not come back within half an hour.`,
    minutesOver: t`The plan’s minutes were over.`,
    restNeeded: t`The plan asks for a rest when too few of the last beats are right.`,
    linkLost: t`The link was lost, and nobody went on.`,
};
const LINKS = {
    screen: t`Screen`, keyboard: t`Keyboard`, bluetooth: "Bluetooth", wifi: t`Through the hub`, midi: "MIDI",
    bluetoothMIDI: "Bluetooth MIDI",
    imported: t`Taken from a file`,
};
const HANDS = { both: t`both hands`, left: t`left hand`, right: t`right hand` };

/** "Ode to Joy, all the way to the end". */
export function sayOf({ song, end }) {
    return `${song.title}, ${endOf({ end })}`;
}

/** "all the way to the end". */
export function endOf({ end }) {
    return ENDS[end] ?? t`not ended`;
}

/** "left hand". */
export function handsOf({ hands }) {
    return HANDS[hands];
}

/** "80% tempo", where it was played faster or slower than it is written. */
export function tempoOf({ tempoPercent = 100 }) {
    return tempoPercent === 100 ? null : t`${tempoPercent}% tempo`;
}

/** "28 of 35 beats right at the first try. The music waited 5 times, and the link was lost for 14 s." */
export function leadOf(session) {
    return [countOf(session), delayOf(session), playedAt(session)].filter(Boolean).join(" ");
}

/** The number of those that were asked for decides between one and many. */
function countOf({ right, judged, mode }) {
    if (judged === 0) return t`No beat was answered.`;
    return mode === "flow" ? t`${number(right)} of ${judged} beats right and on the beat.`
        : t`${number(right)} of ${judged} beats right at the first try.`;
}

function delayOf({ waits, lostMilliseconds }) {
    const lost = lostMilliseconds >= 500 ? secondsText(lostMilliseconds) : null;
    if (waits > 0) {
        return lost ? t`The music waited ${waits} times, and the link was lost for ${lost}.`
            : t`The music waited ${waits} times.`;
    }
    return lost && t`The link was lost for ${lost}.`;
}

function playedAt({ tempoPercent = 100 }) {
    return tempoPercent === 100 ? null : t`Played at ${tempoPercent}% of the song’s own tempo.`;
}

/** The readouts of the header: `[name, value, unit, below]`. */
export function factsOf(session) {
    const { force, forceDrums, link, links, drums, level, hands, chart, mode } = session;
    const tempo = chart?.tempo?.[0]?.beatsPerMinute;
    const chosen = !drums?.some(Boolean) ? t`no drum chosen` : drums.every(Boolean) ? t`all four drums`
        : colours(PADS.filter((_, i) => drums[i]));
    const kinds = (links?.length > 0 ? links : [link]).map((one) => LINKS[one] ?? one).join(", ");
    return [
        // Where the music goes on, one plays ahead of the light: what lies between light and hit is no reaction.
        mode === "flow" ? lateFact(session) : reactionFact(session),
        force ? [t`Force`, number(force.median), null,
            t`no unit, ${colours((forceDrums ?? []).map((i) => PADS[i]))} only, n\u00A0=\u00A0${force.n}`]
            : [t`Practised`, durationText(session.milliseconds / 1000), null,
                mode === "flow" ? t`without pauses` : t`with the time that the music waited`],
        tempo && [t`Tempo`, number(tempo, 1), t`a minute`,
            [tempoOf(session), levelName(level), chosen, hands !== "both" && HANDS[hands]].filter(Boolean).join(", ")],
        linkFact(session, kinds),
    ].filter(Boolean);
}

/** "red, orange and yellow". */
const colours = (pads) => listed(pads.map(({ word }) => word.toLowerCase()));

function lateFact({ timing }) {
    if (!timing) return [t`Late`, "–", null, t`no hit to go by`];
    return [t`Late`, lateText(timing.median), "ms", spreadOf(timing, lateText)];
}

function reactionFact({ reaction }) {
    if (!reaction) return [t`Reaction`, "–", null, t`no time that counts`];
    return [t`Reaction`, number(reaction.median), "ms", spreadOf(reaction, number)];
}

/** The quartiles with their count, or the count alone where there are too few for them. */
const spreadOf = ({ lower, upper, n }, of) => (lower === undefined ? t`n\u00A0=\u00A0${n}, too few for quartiles`
    : t`half between ${of(lower)} and ${of(upper)}, n\u00A0=\u00A0${n}`);

/** How long the link took: as the session measured it, or what tapping had found of one without a clock of its own. */
function linkFact({ latency, latencySet, link, clock }, kinds) {
    if (latency) return [t`Connection`, number(latency.median, 1), "ms", t`${kinds}, median of ${latency.n} hits`];
    if (latencySet > 0) {
        return [t`Connection`, number(latencySet, 1), "ms", t`${kinds}, found by tapping along and taken off each reaction`];
    }
    return [t`Connection`, kinds, null, clock === "page" ? t`not measured: part of each reaction`
        : link === "imported" ? t`the file does not tell how long it took` : t`not measured`];
}

/** What happened besides, each `{icon, name, more}`, in the order of time. */
export function happenedOf(session, zone) {
    const at = (ms) => exactTime(session, zone, ms);
    const rows = (session.happened ?? []).map((one) => happeningOf(one, session, at(one.at))).filter(Boolean);
    if (session.end && session.end !== "finished" && !session.happened?.some(({ what }) => what === "closed")) {
        rows.splice(-1, 0, { icon: "stop", name: t`${at(session.endedAt)}, ended`, more: WHY[session.end] });
    }
    return rows;
}

function happeningOf(one, session, time) {
    const lasted = Number.isFinite(one.milliseconds) ? secondsText(one.milliseconds) : null;
    switch (one.what) {
        case "linkLost":
            // The page asks again for a drum whose answer did not come.
            if (one.milliseconds === 0 && !one.to) {
                return { icon: "radio", name: t`${time}, a drum was asked for again`, more: t`No answer had come.` };
            }
            return {
                icon: "radio", name: lasted ? t`${time}, link lost for ${lasted}` : t`${time}, link lost`,
                more: [one.beats > 0 && t`${one.beats} beats were not judged.`, afterLost(one, lasted)].filter(Boolean)
                    .join(" "),
            };
        case "paused":
            return { icon: "pause", name: lasted ? t`${time}, paused for ${lasted}` : t`${time}, paused`,
                more: t`Not counted as practice.` };
        case "takenUp":
            return { icon: "phone", name: t`${time}, taken up again`,
                more: t`Nobody played for ${lasted ?? ""}. The session went on where it was.` };
        case "closed":
            return { icon: "hub", name: t`${time}, closed by the hub`,
                more: [WHY[one.end], t`What was played until then is kept.`].filter(Boolean).join(" ") };
        case "stored": return storedText(session, time);
        default: return null;
    }
}

function afterLost(one, lasted) {
    if (!lasted) return t`It did not come back.`;
    return one.to && one.to !== one.link ? t`The session went on with: ${linkWord(one.to)}.`
        : t`The session went on by itself.`;
}

/** That the hub has it, and what came of playing it again there. */
function storedText({ link, eventCount, engineVersion, isClosedByHub, claim }, time) {
    const [stored, checked] = [t`Saved by the hub at ${time}`, t`Saved and checked at ${time}`];
    const engine = String(engineVersion);
    if (link === "imported") {
        return { icon: "hub", name: stored,
            more: t`Taken from a file of the original app, and computed anew from its messages.` };
    }
    if (isClosedByHub) {
        return { icon: "hub", name: stored,
            more: t`Computed from its ${eventCount} events by engine ${engine}. The page had sent no result.` };
    }
    return { icon: "hub", name: checked, more: claim
        ? t`Played again from its ${eventCount} events by engine ${engine}: another result than the page’s, see below.`
        : t`Played again from its ${eventCount} events by engine ${engine}: same result.` };
}

/** The hub counted the same events differently than the page: both are said. */
export function claimText({ claim, right, answered, reaction }) {
    if (!claim) return null;
    const [pages, hubs] = [claim.median, reaction?.median];
    return [
        Number.isFinite(pages)
            ? t`The page: ${claim.right} right of ${claim.answered} answered, median ${number(pages)} ms.`
            : t`The page: ${claim.right} right of ${claim.answered} answered.`,
        Number.isFinite(hubs) ? t`The hub: ${right} right of ${answered} answered, median ${number(hubs)} ms.`
            : t`The hub: ${right} right of ${answered} answered.`,
        t`The hub’s result stands.`,
    ].join(" ");
}

/** "Keyboard". */
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
