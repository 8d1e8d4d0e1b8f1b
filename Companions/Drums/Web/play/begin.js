import { Problem } from "../../app/problem.js";
import { go } from "../../app/shell.js";
import { t } from "../../language/text.js";
import { overview } from "../overview.js";
import { askBefore, noteReport } from "../self-report/self-report.js";
import { unlockSound } from "./sound.js";
import { stillOpen } from "./still-open.js";

let beginning = null; // the song that was pressed and is not open yet

/**
 * Plays a song: called while its "Play" is pressed, so that it may be heard. Where a song is played on this device
 * already by the same person, that one is opened; nobody plays on in the song of another. Pressed twice, it begins once.
 * @param {object} song  of the overview
 * @param {{person?: object, level?: number, mode?: "wait"|"flow"}} [options]  else as the person's settings say
 * @returns {Promise<void>}
 * @throws {Problem} where it cannot begin; nothing is stored then
 */
export function playSong(song, options = {}) {
    unlockSound();
    beginning ??= begin(song, options).finally(() => { beginning = null; });
    return beginning;
}

/**
 * @param {object} song
 * @param {{person?: object, level?: number, mode?: "wait"|"flow"}} options
 */
async function begin(song, options) {
    const { person = overview.here(), level, mode } = options;
    if (!person?.mayDeliver) {
        throw new Problem(0, { title: t`Not here`, detail: t`Choose somebody for whom this device may save songs.` });
    }
    if (!song.bytes) throw new Problem(0, { title: t`Not yet`, detail: t`This song has no tempo yet: tap it first.` });
    if (person.play.isOver) throw new Problem(0, { title: t`Not today`, detail: person.play.words });
    if (!overview.isAllowed(song, person)) {
        const { name, plan } = person;
        throw new Problem(0, {
            title: t`Not in the plan`, detail: plan?.setBy ? t`The plan by ${plan.setBy} has other songs for ${name}.`
                : t`Today’s plan has other songs for ${name}.`,
        });
    }
    const [{ beginSession }, { links }] = await Promise.all([import("./active-sessions.js"), import("../links/links.js")]);
    const answer = await askBefore(person);
    if (answer === "stop") return;
    await links.restore();
    const stored = await beginSession({ person, song, level, mode });
    if (stored.person.id !== person.id) throw stillOpen(stored);
    if (answer !== "play") noteReport(person, stored.id, "before", answer.said).catch(() => {}); // the song goes first
    go(`/drums/play/${encodeURIComponent(stored.song.id)}`);
}

/**
 * Goes on with a song that is played on another device, or was left there.
 * @param {string} id  of what the hub says is running
 */
export async function playHere(id) {
    unlockSound();
    const { takeUp } = await import("./active-sessions.js");
    const stored = await takeUp(id);
    go(`/drums/play/${encodeURIComponent(stored.song.id)}`);
}
