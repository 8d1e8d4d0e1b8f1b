const LONGEST = 1500; // milliseconds that a busy page holds something up

/** Does what nobody waits for once the page has been drawn and has nothing better to do. @param {() => any} work */
export function whenIdle(work) {
    if (window.requestIdleCallback) requestIdleCallback(work, { timeout: LONGEST });
    else setTimeout(work, LONGEST / 3);
}
