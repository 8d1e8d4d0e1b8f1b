const PATIENCE = 1500; // milliseconds: the page before a reload has let go by then
const ANSWER = 250; // milliseconds that another page needs to say that it is there

/**
 * Makes this page the only one of the device that does something, for as long as it lives or until another takes it.
 * @param {string} name  what is done
 * @param {{take?: boolean}} [options]  `take`: from the page that has it
 * @returns {Promise<{release: () => void, taken: Promise<void>}|null>}  null where another page has it; `taken`
 *   resolves when another page took it
 */
export function onePage(name, options = {}) {
    const { take = false } = options;
    return navigator.locks ? locked(`tandem-${name}`, take) : agreed(`tandem-${name}`, take);
}

function locked(name, take) {
    return new Promise((done) => {
        let release;
        let tookAway;
        const held = new Promise((end) => { release = end; });
        const taken = new Promise((end) => { tookAway = end; });
        const options = take ? { steal: true } : { signal: AbortSignal.timeout(PATIENCE) };
        let isHeld = false;
        navigator.locks.request(name, options, () => {
            isHeld = true;
            done({ release, taken });
            return held;
        }).catch(async () => {
            if (isHeld) return tookAway();
            // Nobody has it where it was only the browser that was slow.
            const { held: all } = await navigator.locks.query();
            done(all.some((one) => one.name === name) ? null : locked(name, take));
        });
    });
}

/** Where there are no locks, as on a plain page, the pages ask each other. */
function agreed(name, take) {
    return new Promise((done) => {
        const others = new BroadcastChannel(name);
        let release;
        let tookAway;
        const taken = new Promise((end) => { tookAway = end; });
        const timer = setTimeout(() => {
            others.onmessage = ({ data }) => {
                if (data === "who") others.postMessage("me");
                if (data === "take") {
                    others.close();
                    tookAway();
                }
            };
            done({ release, taken });
        }, ANSWER);
        release = () => others.close();
        others.onmessage = ({ data }) => {
            if (data !== "me" || take) return;
            clearTimeout(timer);
            others.close();
            done(null);
        };
        others.postMessage(take ? "take" : "who");
    });
}
