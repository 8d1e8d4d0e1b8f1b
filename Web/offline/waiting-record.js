/**
 * What waits on this device, written down in a second place: cookies, which a browser keeps when it empties a page's disk to
 * make room. So the page knows afterwards that something is gone.
 *
 * The one that lasts is set by the hub, in an answer: WebKit empties whatever a script wrote, disks and cookies alike, once
 * nobody was here for seven days. What begins to wait while the hub is away stands in a cookie of the page's own until the
 * hub answers again. Each says how many things there are and when the last was noted, and no more: a cookie goes to all ports
 * of a host.
 */
import { exchange } from "../app/api.js";

// A cookie is of a host with all its ports, and a disk of one of them.
const HERE = `${location.protocol.slice(0, -1)}${location.port}`;
const TOLD = `tandem-waiting-${HERE}`; // what waits, as the hub was told last
const NOTED = `tandem-noted-${HERE}`; // what waits, where that is something else
const LOST = `tandem-lost-${HERE}`; // what waited when the disk was emptied, until somebody has read it
const YEAR = 31_536_000; // seconds
const PAUSE = 2000; // milliseconds for which it stays the same before the hub is told: most is delivered by then

/**
 * What was written down of things that waited.
 * @typedef {{count: number, at: number}} Waiting  `at`: when the last was noted, UTC milliseconds
 */

/** @type {Waiting?} */
let current = null;
let telling = 0;

/**
 * Writes down what waits now; nothing, when nothing does. Called whenever that may have changed, and when the hub is back.
 * @param {Array<{madeAt: number}>} entries
 */
export function recordWaiting(entries) {
    clearTimeout(telling);
    current = entries.length === 0 ? null
        : { count: entries.length, at: Math.round(Math.max(...entries.map(({ madeAt }) => madeAt))) };
    if (!current) write(TOLD, null);
    const isTold = isSame(read(TOLD), current);
    write(NOTED, isTold ? null : current);
    if (!isTold) telling = setTimeout(tell, PAUSE);
}

/** Has the hub set the cookie. Where it is away it is told when it is back, see {@link recordWaiting}. */
async function tell() {
    const waiting = current;
    const answer = await exchange("PUT", "/api/waiting", {
        headers: { "Content-Type": "application/json" }, bytes: JSON.stringify({ here: HERE, ...waiting }), quiet: true,
    }).catch(() => null);
    if (!answer?.ok) return;
    if (!current) write(TOLD, null); // delivered meanwhile
    else if (isSame(current, waiting)) write(NOTED, null);
}

/** The disk is a new one: what waited on the one before is lost. Called before anything else sees the new one. */
export function recordEmptied() {
    const waiting = read(NOTED) ?? read(TOLD);
    clearTimeout(telling);
    current = null;
    if (!waiting) return;
    const before = read(LOST);
    write(LOST, before
        ? { count: before.count + waiting.count, at: Math.max(before.at, waiting.at) } : waiting);
    write(NOTED, null);
    write(TOLD, null);
}

/**
 * What is lost, and nobody has read yet.
 * @returns {Waiting?}
 */
export const lost = () => read(LOST);

/** Somebody has read it. */
export const forgetLost = () => write(LOST, null);

const isSame = (one, other) => one?.count === other?.count && one?.at === other?.at;

function read(name) {
    const pair = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
    const [, count, at] = pair?.slice(name.length + 1).match(/^(\d{1,6})\.(\d{1,16})$/) ?? []; // somebody else may have written it
    return Number(count) > 0 ? { count: Number(count), at: Number(at) } : null;
}

/** @param {string} name @param {Waiting?} value  null takes it away */
function write(name, value) {
    const safe = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `${name}=${value ? `${value.count}.${value.at}` : ""}; Path=/; Max-Age=${value ? YEAR : 0}; SameSite=Strict${safe}`;
}
