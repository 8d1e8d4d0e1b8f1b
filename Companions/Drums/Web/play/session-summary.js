import { engine } from "../../engine/engine.js";
import { result, setup } from "./engine-says.js";
import { MODE } from "../engine-constants.js";

const MODES = ["wait", "flow"];
const HANDS = ["both", "left", "right"];
const LINKS = ["screen", "keyboard", "bluetooth", "wifi", "midi", "bluetoothMIDI", "imported"];
const SIDES = ["left", "right"];
const VERDICTS = [null, "right", "wrongFirst", "offTime", "missed", "notJudged", "unanswered"];
const ENDS = [null, "finished", "stopped", "left", "minutesOver", "restNeeded", "linkLost"];

/**
 * What a session is, ended or not, as the engine reads it from its bytes on this device, in the form in which the hub tells of one
 * (`GET /api/drums/sessions/{id}`), as far as a page can know it.
 * @param {Uint8Array} bytes
 * @returns {Promise<object|null>}  null where nobody can read them
 */
export async function sessionFromBytes(bytes) {
    const drums = await engine("drums");
    return drums.call.look(drums.put(bytes)) === 0 ? sessionOf(drums) : null;
}

function sessionOf(drums) {
    const data = setup(drums);
    const { beats, end, ...figures } = result(drums);
    const beatList = beats.map((one) => ({
        ...one, side: SIDES[one.side], verdict: VERDICTS[one.verdict], link: LINKS[one.link],
        position: Math.round(drums.call.stepPosition(one.step) / 1000),
    }));
    const asked = new Set(beats.map(({ step }) => step));
    return {
        id: [...drums.answer(drums.call.sessionID())].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
        person: data.person, song: { id: data.song, title: data.title }, level: data.level, mode: MODES[data.mode],
        hands: HANDS[data.hands], tempoPercent: data.tempoPercent, drums: [0, 1, 2, 3].map((drum) => Boolean(data.drums & (1 << drum))),
        countInBeats: data.countInBeats, link: LINKS[data.link],
        latencySet: data.latencyTenths / 10, links: [...new Set(beatList.map(({ link }) => link))],
        ...figures, beats: beats.length, end: ENDS[end],
        window: data.mode === MODE.flow ? windowOf(data) : undefined,
        forceDrums: [...new Set(beats.filter(({ force }) => force !== null).map(({ drum }) => drum))],
        chart: {
            stepsPerBeat: data.stepsPerBeat, tempo: tempoOf(drums, data.steps),
            steps: Array.from({ length: data.steps }, (_, step) => (asked.has(step) ? "1" : "0")).join(""),
        },
        beatList,
    };
}

function windowOf({ windowCentre, windowHalf, isWindowLearnt }) {
    return { centre: windowCentre, half: windowHalf, isLearnt: isWindowLearnt === 1 };
}

/** The tempo of the song that the engine has read: where it begins, and wherever it changes. */
function tempoOf({ call }, steps) {
    const found = [];
    let before = null;
    for (let step = 0; step < Math.max(steps, 1); step += 1) {
        const microseconds = call.microsecondsPerBeat(step);
        if (microseconds !== before) found.push({ step, beatsPerMinute: 60e6 / microseconds });
        before = microseconds;
    }
    return found;
}
