const LONGEST = 1500; // milliseconds that a busy page holds something up
const UNSEEN = 250; // milliseconds: a page that nobody sees draws no frame

/**
 * Does what nobody waits for once the page has been drawn and has nothing better to do.
 * @param {() => any} work
 */
export function whenIdle(work) {
    if (window.requestIdleCallback) requestIdleCallback(work, { timeout: LONGEST });
    else setTimeout(work, LONGEST / 3);
}

/**
 * Resolves when what was drawn until now is on the screen.
 * @returns {Promise<void>}
 */
export function frameDrawn() {
    return new Promise((done) => {
        const timer = setTimeout(done, UNSEEN);
        requestAnimationFrame(() => {
            clearTimeout(timer);
            setTimeout(done);
        });
    });
}
