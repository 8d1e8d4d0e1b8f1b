import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { PADS, padShape } from "../pads.js";

const RECENT = 700; // milliseconds: a click within them is of the touch that was heard already

/**
 * The four drums on the screen. A pad answers the finger that comes down, not the one that goes up, and several fingers
 * at once; and the press that a keyboard or a screen reader makes of it.
 * @param {number} drums  those that are played, bit by bit
 * @param {(drum: number, at: number) => void} hit  `at` by `performance.now()`, milliseconds
 * @returns {{node: HTMLElement, show: (asked: number?) => void, flash: (drum: number, how: string) => void}}
 */
export function padsRow(drums, hit) {
    let touched = -Infinity;
    const pads = PADS.map(({ name, word, keys }, drum) => make("button", {
        class: "pad", type: "button", "aria-label": nameOf(drum, drums, null),
        "aria-keyshortcuts": keys[0].toUpperCase(),
        data: { pad: name, off: drums & (1 << drum) ? undefined : "" },
        on: {
            pointerdown: (event) => {
                if (event.button > 0) return;
                event.preventDefault();
                // A finger that slides onto another pad has not hit it; this one's end is nobody's.
                event.currentTarget.releasePointerCapture?.(event.pointerId);
                touched = performance.now();
                hit(drum, happened(event));
            },
            click: (event) => {
                if (performance.now() - touched > RECENT) hit(drum, happened(event));
            },
            contextmenu: (event) => event.preventDefault(), // a finger that rests on a pad asks for no menu
        },
    }, padShape(drum), make("span", { class: "pad-label" }, word)));
    let shown = null;
    return {
        node: make("div", { class: "pads", role: "group", "aria-label": t`Drums` }, pads),
        show: (asked) => {
            if (asked === shown) return;
            for (const drum of [shown, asked]) {
                if (drum === null) continue;
                pads[drum].setAttribute("aria-label", nameOf(drum, drums, asked));
                if (drum === asked) pads[drum].dataset.state = "cue";
                else delete pads[drum].dataset.state;
            }
            shown = asked;
        },
        flash: (drum, how) => {
            const pad = pads[drum];
            pad.dataset.hit = how;
            clearTimeout(pad.ebb);
            pad.ebb = setTimeout(() => { delete pad.dataset.hit; }, 220);
        },
    };
}

/** When the finger came down, by the page's clock: the browser may tell of it a little later. */
export function happened({ timeStamp }) {
    const now = performance.now();
    return timeStamp > now - 500 && timeStamp <= now ? timeStamp : now;
}

function nameOf(drum, drums, asked) {
    const { word } = PADS[drum];
    if (drum === asked) return t`${word}, hit now`;
    return drums & (1 << drum) ? word : t`${word}, not asked for`;
}
