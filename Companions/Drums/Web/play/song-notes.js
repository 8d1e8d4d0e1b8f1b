import { bytesOf } from "../../engine/base64.js";
import { engine } from "../../engine/engine.js";

const BYTES = 12; // of a note

/**
 * What of a song is heard: its notes, the clicks of a metronome, the family's own file.
 * @param {{beatAt: (beat: number) => number, countIn: number, whole: number}} about  see run.js
 * @param {object?} song  of the desk; without it only the clicks are left
 * @returns {Promise<{notes: object[], clicks: object[], audio: object?}>}  times in microseconds of the song
 */
export async function musicOf({ beatAt, countIn, whole }, song) {
    const drums = await engine("drums");
    const isThere = song?.bytes && drums.call.loadSong(drums.put(bytesOf(song.bytes))) === 0;
    const perBar = isThere ? drums.call.songBeatsPerBar() : 4;
    const upbeat = isThere ? drums.call.songUpbeat() : 0;
    const clicks = [];
    for (let beat = -countIn; beat < whole; beat += 1) {
        clicks.push({ at: beatAt(beat), isFirst: (beat - upbeat + perBar * whole) % perBar === 0 });
    }
    return { notes: isThere ? notesOf(drums.answer(drums.call.songNotes())) : [], clicks, audio: song?.audio ?? null };
}

function notesOf(bytes) {
    const view = new DataView(bytes.buffer);
    return Array.from({ length: bytes.length / BYTES }, (_, i) => ({
        at: view.getUint32(i * BYTES, true), length: view.getUint32(i * BYTES + 4, true),
        pitch: bytes[i * BYTES + 8], velocity: bytes[i * BYTES + 9], voice: bytes[i * BYTES + 10],
    }));
}
