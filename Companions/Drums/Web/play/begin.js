import { Problem } from "../../house/problem.js";
import { go } from "../../house/shell.js";
import { desk } from "../desk.js";
import { unlockSound } from "./sound.js";
import { stillOpen } from "./still-open.js";

/**
 * Plays a song: called while its "Play" is pressed, so that it may be heard. Where a song is played on this device
 * already by the same person, that one is opened; nobody plays on in the song of another.
 * @param {object} song  of the desk
 * @param {{person?: object, level?: number, mode?: "wait"|"flow"}} [options]  else as the person's settings say
 * @throws {Problem} where it cannot begin; nothing is kept then
 */
export async function playSong(song, options = {}) {
    const { person = desk.here(), level, mode } = options;
    unlockSound();
    if (!person?.mayDeliver) {
        throw new Problem(0, { title: "Not here", detail: "Choose who plays: this device may keep songs for them." });
    }
    if (!song.bytes) throw new Problem(0, { title: "Not yet", detail: "This song has no beat yet: tap it first." });
    if (person.play.isOver) throw new Problem(0, { title: "Not today", detail: person.play.words });
    if (!desk.isAllowed(song, person)) {
        throw new Problem(0, {
            title: "Not in the plan", detail: `The plan of ${person.plan?.setBy ?? "today"} has other songs for ${person.name}.`,
        });
    }
    const [{ beginRun }, { links }] = await Promise.all([import("./runs.js"), import("../links/links.js")]);
    await links.restore();
    const kept = await beginRun({ person, song, level, mode });
    if (kept.person.id !== person.id) throw stillOpen(kept);
    go(`/drums/play/${encodeURIComponent(kept.song.id)}`);
}

/**
 * Goes on with a song that is played on another device, or was left there.
 * @param {string} id  of what the hub says is running
 */
export async function playHere(id) {
    unlockSound();
    const { takeUp } = await import("./runs.js");
    const kept = await takeUp(id);
    go(`/drums/play/${encodeURIComponent(kept.song.id)}`);
}
