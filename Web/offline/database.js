/**
 * What this device keeps: IndexedDB `tandem`. Its stores:
 *
 * - `outbox`: what waits to be sent, without its bytes; the key `order` counts up
 * - `outbox-bytes`: the bytes of each by the same key, apart, so that a list of fifty megabytes is read as a list
 * - `cache`: what the last visit knew, by name, see cache.js
 * - `active-sessions`: the header of an active session, by the companion's slug and the ids of household and person
 * - `session-chunks`: recordings of sessions, in pieces that are added and never changed, by the session's id and the offset
 * - `recordings`: sounds that a household keeps on this device and nowhere else, by the household's id and their own
 *
 * A store is only ever added: a page of an older build, after the hub went back to it, still finds its own.
 */
import { recordEmptied } from "./waiting-record.js";

const NAME = "tandem";
const VERSION = 5;
let opening = null;

/** The disk of this page; an event `closed` when the browser, or the person, has taken it away while it was open. */
export const disk = new EventTarget();

/**
 * The open database.
 * @returns {Promise<IDBDatabase>}
 */
export function database() {
    opening ??= open().catch((error) => {
        opening = null;
        throw error;
    });
    return opening;
}

async function open() {
    let db;
    try {
        db = await opened(indexedDB.open(NAME, VERSION));
    } catch (error) {
        if (error?.name !== "VersionError") throw error;
        db = await opened(indexedDB.open(NAME)); // a newer build was here
    }
    // Another tab wants to add a store, or the person cleared this site's data: open anew when it is needed.
    db.addEventListener("versionchange", () => db.close());
    const forget = () => {
        opening = null;
        disk.dispatchEvent(new Event("closed"));
    };
    db.addEventListener("versionchange", forget);
    db.addEventListener("close", forget);
    return db;
}

function opened(request) {
    request.addEventListener("upgradeneeded", ({ oldVersion }) => {
        const db = request.result;
        // There was none: this page was never here, or the browser has emptied its disk.
        if (oldVersion === 0) recordEmptied();
        if (!db.objectStoreNames.contains("outbox")) {
            const entries = db.createObjectStore("outbox", { keyPath: "order", autoIncrement: true });
            entries.createIndex("id", "id", { unique: true });
            db.createObjectStore("outbox-bytes");
        }
        for (const name of ["cache", "active-sessions", "session-chunks", "recordings"]) {
            if (!db.objectStoreNames.contains(name)) db.createObjectStore(name);
        }
    });
    return answered(request);
}

/**
 * What a request answers.
 * @param {IDBRequest} request
 * @returns {Promise<any>}
 */
export function answered(request) {
    return new Promise((done, failed) => {
        request.addEventListener("success", () => done(request.result));
        request.addEventListener("error", () => failed(request.error));
    });
}

/**
 * Does work in one transaction, and resolves once it is on the disk.
 * @template T
 * @param {string[]} stores
 * @param {"readonly"|"readwrite"} mode
 * @param {(transaction: IDBTransaction) => T|Promise<T>} work  may await requests of this transaction and nothing else
 * @returns {Promise<T>}
 */
export async function transact(stores, mode, work) {
    const db = await database();
    const transaction = db.transaction(stores, mode, { durability: "strict" });
    const ended = new Promise((done, failed) => {
        transaction.addEventListener("complete", done);
        transaction.addEventListener("abort", () => failed(transaction.error ?? new DOMException("", "AbortError")));
    });
    let result;
    try {
        result = await work(transaction);
    } catch (error) {
        ended.catch(() => {}); // What the work says is nearer to the cause.
        try {
            transaction.abort();
        } catch {
            // It has aborted itself.
        }
        throw transaction.error ?? error;
    }
    await ended;
    return result;
}
