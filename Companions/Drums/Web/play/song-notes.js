import { bytesOf } from "../../engine/base64.js";
import { engine } from "../../engine/engine.js";

const BYTES = 12; // of a note
const MOST_COUNTED_IN = 32; // beats

/**
 * What of a song is heard of itself.
 * @param {object?} song  of the overview; where there is none, only clicks are left
 * @param {number} tempoPercent  of its own tempo
 * @returns {Promise<{notes: object[], beginsBar: (beat: number) => boolean, audio: object?}>}  times in microseconds;
 *   `beginsBar`: also of those that are counted in, below 0
 */
export async function notesOf(song, tempoPercent) {
    const drums = await engine("drums");
    const isThere = song?.bytes && drums.call.loadSong(drums.put(bytesOf(song.bytes))) === 0;
    if (!isThere || drums.call.setTempo(tempoPercent) !== 0) return { notes: [], beginsBar: (beat) => beat % 4 === 0, audio: null };
    const { songBeginsBar, songNotes } = drums.call;
    const first = -MOST_COUNTED_IN;
    // Now: the engine is another song's when it is asked again.
    const begins = Array.from({ length: drums.view("song").beats + MOST_COUNTED_IN }, (_, i) => songBeginsBar(first + i) === 1);
    return {
        notes: read(drums.answer(songNotes())), beginsBar: (beat) => begins[beat - first] ?? false,
        audio: song.audio ? { ...song.audio, rate: tempoPercent / 100 } : null,
    };
}

/**
 * What is heard of a song as it is played: its notes or the family's own file, and the clicks of a metronome.
 * @param {{beatAt: (beat: number) => number, countInBeats: number, whole: number}} about  see active-session.js
 * @param {object} song  of {@link notesOf}
 */
export function musicOf({ beatAt, countInBeats, whole }, { notes, beginsBar, audio }) {
    const clicks = [];
    for (let beat = -countInBeats; beat < whole; beat += 1) clicks.push({ at: beatAt(beat), isFirst: beginsBar(beat) });
    return { notes, clicks, audio };
}

function read(bytes) {
    const view = new DataView(bytes.buffer);
    return Array.from({ length: bytes.length / BYTES }, (_, i) => ({
        at: view.getUint32(i * BYTES, true), length: view.getUint32(i * BYTES + 4, true),
        pitch: bytes[i * BYTES + 8], velocity: bytes[i * BYTES + 9], voice: bytes[i * BYTES + 10],
    }));
}
