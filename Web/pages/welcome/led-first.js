import { get } from "../../app/api.js";
import { isLoopback, readTrust } from "./environment.js";
import { isWelcomed } from "./welcomed.js";

/**
 * Whether a device learns to trust the hub before anything else: somebody has come with a code, of an invitation or for a
 * new password, to a page that nobody vouches for, and is about to type a password into it. Who has been led there once, or
 * has skipped it, is not led again; nor who is at a hub that has no HTTPS to be led to.
 */
export async function isLedFirst() {
    if (isWelcomed()) return false;
    if (location.protocol === "https:") return await readTrust(window) === "untrusted";
    if (isLoopback(location.hostname)) return false;
    return Boolean((await get(`/api/welcome?clock=${Date.now()}`, { quiet: true })).origin);
}
