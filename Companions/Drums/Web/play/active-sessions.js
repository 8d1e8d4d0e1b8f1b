import { getBytes } from "../../app/api.js";
import { Problem } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { ActiveSessions } from "../../sessions/active-sessions.js";
import { overview } from "../overview.js";
import { links } from "../links/links.js";
import { micros } from "./engine-says.js";
import { ActiveSong } from "./active-session.js";
import { sessionFromBytes } from "./session-summary.js";
import { screenOrKeyboard } from "./song-drums.js";
import { stillOpen } from "./still-open.js";

/** The songs that are played on this device: one at a time. */
const activeSessions = new ActiveSessions({
    slug: "drums",
    notStored: t`This device cannot save while you play. Please leave this page open until the end.`,
    busy: t`Somebody is playing in another window on this device.`,
    isUploaded: true,
    make: (engine, stored, held) => new ActiveSong(activeSessions, engine, stored, held),
    now: () => micros(performance.now()),
    isOver: (engine) => engine.view("session").end !== 0,
});

/**
 * What is played on this device, in whatever page, as it is stored; null where nothing is. One that was left for so
 * long that the engine calls it over is delivered, and in nobody's way.
 */
export const findSession = () => activeSessions.look();

/**
 * Goes on with the song that this device has kept.
 * @param {{take?: boolean}} [options]  `take`: also from another page that plays it
 * @returns {Promise<ActiveSong|"elsewhere"|null>}  null where none is stored
 */
export const goOn = (options) => activeSessions.goOn(options);

/**
 * Sets up a song, unless one is played.
 * @param {{person: object, song: object, level?: number, mode?: "wait"|"flow"}} chosen  of the overview; what is left
 *   out is as the person's settings say
 * @returns {Promise<object>}  what is kept of the song that is played now
 */
export function beginSession({ person, song, level = person.play.level, mode = person.play.mode }) {
    return activeSessions.begin({
        person: named(person), song: { id: song.id, title: song.title }, tempoPercent: person.play.tempoPercent,
        sounds: soundsOf(person),
    }, (active) => active.prepare({ person, song, level, mode, link: links.current?.kind ?? screenOrKeyboard() }));
}

/**
 * Takes up here what is played on another device of the household, or was left there.
 * @param {string} id  of what the hub says is running
 * @returns {Promise<object>}  what is kept of the song that is played here now
 */
export async function takeUp(id) {
    const content = await contentOf(id);
    const was = await sessionFromBytes(content);
    const person = was && overview.person(was.person);
    if (!person) throw new Problem(0, { title: t`Not here`, detail: t`This page cannot go on with it.` });
    const stored = await activeSessions.begin({
        id, startedAt: was.startedAt, person: named(person), song: was.song, tempoPercent: was.tempoPercent,
        sounds: soundsOf(person), uploaded: content.length,
    }, (active) => active.append(content));
    if (stored.id !== id) throw stillOpen(stored);
    return stored;
}

async function contentOf(id) {
    try {
        return await getBytes(`/api/drums/active/${encodeURIComponent(id)}`);
    } catch (error) {
        if (![404, 410].includes(error.status)) throw error; // the hub is away, or says what else is wrong
        throw new Problem(error.status, { title: t`Not here`, detail: t`It has ended, or the hub knows nothing of it.` });
    }
}

/** @param {Drums.OverviewPerson} person */
const named = ({ id, name, face, timeZone }) => ({ id, name, face, timeZone });
const soundsOf = ({ settings }) => ({ song: true, metronome: false, hits: true, ...settings?.sounds });
