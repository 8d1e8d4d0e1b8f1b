import { Problem } from "../../app/problem.js";
import { signIn } from "../../app/sign-in.js";
import { answered, transact } from "../../offline/database.js";
import { newID } from "../../offline/outbox-store.js";
import { bytes } from "../../text/numbers.js";
import { t } from "../../language/text.js";

/** The most recordings of a household on one device. */
const MOST_RECORDINGS = 20;
/** The largest of them, bytes: ten minutes as phones record. */
const MOST_BYTES = 24_000_000;
/** In the place of an id: another one each time. */
export const SURPRISE = "surprise";

const STORE = "recordings";
const KEY = "tandem.brushing.music"; // whose music is which, on this device

/**
 * A recording of the family's own, on this device alone: it is sent nowhere.
 * @typedef {{id: string, name: string, seconds: number?, sound: Blob, addedAt: number}} Recording
 */

/**
 * Those of the household that is signed in, the oldest first.
 * @returns {Promise<Recording[]>} none where this browser stores nothing
 */
export async function recordings() {
    const household = signIn.household?.id ?? "";
    try {
        const all = await transact([STORE], "readonly", (at) => answered(at.objectStore(STORE).getAll(rangeOf(household))));
        return all.toSorted((a, b) => a.addedAt - b.addedAt);
    } catch {
        return [];
    }
}

/**
 * Keeps a sound.
 * @param {Blob} sound
 * @param {string} name
 * @param {number} [seconds]  where it is known
 * @returns {Promise<Recording>}
 * @throws {Problem} in words: it is empty, too large, none that this browser plays, or there is no room
 */
export async function keepRecording(sound, name, seconds) {
    if (sound.size === 0) throw new Problem(0, { detail: t`This file is empty. Choose another one.` });
    if (sound.size > MOST_BYTES) {
        throw new Problem(0, { detail: t`This file has ${bytes(sound.size)}. Music for brushing has at most ${bytes(MOST_BYTES)}.` });
    }
    if ((await recordings()).length >= MOST_RECORDINGS) {
        throw new Problem(0, { detail: t`There are ${MOST_RECORDINGS} recordings on this device. Remove one first.` });
    }
    const length = seconds ?? await lengthOf(sound);
    const recording = { id: newID(), name, seconds: length, sound, addedAt: Date.now() };
    await putBack(recording);
    return recording;
}

/** Keeps a recording that was removed again. */
export async function putBack(recording) {
    try {
        await transact([STORE], "readwrite", (at) => answered(at.objectStore(STORE).put(recording, keyOf(recording.id))));
    } catch {
        throw new Problem(0, { detail: t`This device has no room for it, or its browser stores nothing in private windows.` });
    }
}

/** @param {string} id */
export function removeRecording(id) {
    return transact([STORE], "readwrite", (at) => answered(at.objectStore(STORE).delete(keyOf(id))));
}

/**
 * What somebody brushes to on this device: an id, {@link SURPRISE}, or null for nothing.
 * @param {string} person
 * @returns {string?}
 */
export const choiceOf = (person) => choices()[person] ?? null;

/** @param {string} person @param {string?} choice */
export function choose(person, choice) {
    try {
        localStorage.setItem(KEY, JSON.stringify({ ...choices(), [person]: choice ?? undefined }));
    } catch {
        throw new Problem(0, { detail: t`This browser does not remember it. Private windows store nothing.` });
    }
}

/**
 * What somebody hears now.
 * @param {string} person
 * @returns {Promise<Recording?>}  null for nothing, or where it was removed
 */
export async function musicOf(person) {
    const choice = choiceOf(person);
    if (!choice) return null;
    const all = await recordings();
    if (choice === SURPRISE) return all[Math.floor(Math.random() * all.length)] ?? null;
    return all.find(({ id }) => id === choice) ?? null;
}

function choices() {
    try {
        return JSON.parse(localStorage.getItem(KEY) ?? "{}");
    } catch {
        return {};
    }
}

const keyOf = (id) => `${signIn.household?.id ?? ""} ${id}`;
const rangeOf = (household) => IDBKeyRange.bound(`${household} `, `${household} \uffff`);

/** How long a sound is, seconds; null where its file does not say, as of what browsers record. */
function lengthOf(sound) {
    const address = URL.createObjectURL(sound);
    const audio = new Audio();
    return new Promise((done, failed) => {
        audio.addEventListener("loadedmetadata", () => done(Number.isFinite(audio.duration) ? audio.duration : null));
        audio.addEventListener("error", () => failed(new Problem(0, {
            detail: t`This browser cannot play that file. Choose an MP3, M4A, OGG or WAV file.`,
        })));
        audio.preload = "metadata";
        audio.src = address;
    }).finally(() => URL.revokeObjectURL(address));
}
