import { go } from "../../house/shell.js";

/**
 * Plays a song: called while its "Play" is pressed, so that it may be heard. Where a song runs on this device already,
 * that one is opened.
 * @param {object} song  of the desk
 * @param {{person?: object, level?: number, mode?: "wait"|"flow"}} [options]  else as the person's settings say
 * @throws {Problem} where it cannot begin; nothing is kept then
 */
export async function playSong(song, { person, level, mode } = {}) {
    go(`/drums/play/${encodeURIComponent(song.id)}`);
}
