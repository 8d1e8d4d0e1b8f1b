import { bytesOf } from "../../engine/base64.js";
import { engine } from "../../engine/engine.js";

const BYTES = 12; // of a note

/**
 * What of a song is heard of itself.
 * @param {object?} song  of the overview; where there is none, only clicks are left
 * @param {number} tempoPercent  of its own tempo
 * @returns {Promise<{notes: object[], perBar: number, upbeat: number, audio: object?}>}  times in microseconds
 */
export async function notesOf(song, tempoPercent) {
    const drums = await engine("drums");
    const isThere = song?.bytes && drums.call.loadSong(drums.put(bytesOf(song.bytes))) === 0;
    if (!isThere || drums.call.setTempo(tempoPercent) !== 0) return { notes: [], perBar: 4, upbeat: 0, audio: null };
    const { songBeatsPerBar, songUpbeat, songNotes } = drums.call;
    return {
        notes: read(drums.answer(songNotes())), perBar: songBeatsPerBar(), upbeat: songUpbeat(),
        audio: song.audio ? { ...song.audio, rate: tempoPercent / 100 } : null,
    };
}

/**
 * What is heard of a song as it is played: its notes or the family's own file, and the clicks of a metronome.
 * @param {{beatAt: (beat: number) => number, countIn: number, whole: number}} about  see active-session.js
 * @param {object} song  of {@link notesOf}
 */
export function musicOf({ beatAt, countIn, whole }, { notes, perBar, upbeat, audio }) {
    const clicks = [];
    for (let beat = -countIn; beat < whole; beat += 1) {
        clicks.push({ at: beatAt(beat), isFirst: (beat - upbeat + perBar * whole) % perBar === 0 });
    }
    return { notes, clicks, audio };
}

function read(bytes) {
    const view = new DataView(bytes.buffer);
    return Array.from({ length: bytes.length / BYTES }, (_, i) => ({
        at: view.getUint32(i * BYTES, true), length: view.getUint32(i * BYTES + 4, true),
        pitch: bytes[i * BYTES + 8], velocity: bytes[i * BYTES + 9], voice: bytes[i * BYTES + 10],
    }));
}
