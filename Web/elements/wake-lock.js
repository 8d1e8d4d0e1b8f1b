/**
 * Keeps the screen lit while this holds, in browsers that can.
 * @param {AbortSignal} signal  ends it
 */
export function wakeLock(signal) {
    let lock = null;
    let isWanted = false;
    const ask = async () => {
        if (!navigator.wakeLock || document.hidden) return;
        try {
            lock = await navigator.wakeLock.request("screen");
            if (!isWanted) lock.release();
        } catch {
            // A low battery, say: the screen may go dark, and what runs knows the time all the same.
        }
    };
    const hold = () => {
        if (isWanted) return;
        isWanted = true;
        ask();
    };
    const release = () => {
        isWanted = false;
        lock?.release().catch(() => {});
        lock = null;
    };
    document.addEventListener("visibilitychange", () => { if (isWanted) ask(); }, { signal });
    signal.addEventListener("abort", release);
    return { hold, release };
}
