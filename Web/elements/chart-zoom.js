import { iconButton } from "./button.js";
import { fill, make } from "./make.js";
import { figure } from "../text/numbers.js";
import { t } from "../language/text.js";

const CLOSER = 2; // times, for a key or a button
const STEP = 0.25; // of what is shown, for a key or a button
const REST = 200; // milliseconds after which a chart is not moved any more
const DRAG = 6; // pixels from which on a finger moves the chart, and does not ask for a point

/**
 * Lets a chart over seconds be looked at closer: by two fingers, by the wheel with Ctrl, by the keys + and - and 0, Shift
 * with the arrows, and by buttons, which need no second finger. Dragged sideways it moves, once it does not show all.
 * @param {{until: number, least: number, draw: (from: number, to: number) => Node, middle?: () => number?,
 *   rest?: (from: number, to: number) => Promise<boolean>}} options
 *   `least`: seconds that are shown at least; `draw` makes the chart of a stretch; `middle`: the second that stays where it is;
 *   `rest`: told once it is not moved any more, and says whether to draw it anew, as more of it is known
 * @returns {HTMLElement}
 */
export function chartZoom({ until, least, draw, middle = () => null, rest }) {
    let [from, to] = [0, until];
    let resting = null;
    const place = make("div", { class: "chart-zoom" });
    const shown = make("span", { class: "fine", role: "status" });
    const back = iconButton(t`Earlier`, "back", () => move(-STEP));
    const ahead = iconButton(t`Later`, "forward", () => move(STEP));
    const closer = iconButton(t`Closer`, "plus", () => zoom(CLOSER));
    const further = iconButton(t`Further away`, "minus", () => zoom(1 / CLOSER));
    const bar = make("div", { class: "chart-zoom-bar", role: "group", "aria-label": t`What the chart shows` }, closer, further, back, ahead, shown);
    const isWhole = () => to - from >= until * 0.999;

    function show() {
        const hadFocus = place.contains(document.activeElement);
        fill(place, draw(from, to));
        if (hadFocus) place.querySelector("input")?.focus({ preventScroll: true }); // not shown: a selector
        const whole = isWhole();
        if (whole) delete place.dataset.zoomed;
        else place.dataset.zoomed = "";
        for (const one of [further, back, ahead]) one.hidden = whole;
        closer.disabled = to - from <= least * 1.001;
        back.disabled = from <= 0;
        ahead.disabled = to >= until;
        const decimals = to - from < 10 ? 1 : 0;
        shown.textContent = whole ? "" : t`${figure(from, decimals)} to ${figure(to, decimals)} s`;
    }
    async function atRest() {
        try {
            if (await rest(from, to)) show();
        } catch {
            // The hub is away, as the strip says: what is known stays.
        }
    }
    /** Shows the stretch of `length` seconds in which `second` stands at a share of the width. */
    function look(length, second, share) {
        const wide = Math.min(until, Math.max(least, length));
        from = Math.min(Math.max(0, second - share * wide), until - wide);
        to = from + wide;
        show();
        clearTimeout(resting);
        if (rest) resting = setTimeout(atRest, REST);
    }
    function zoom(times) {
        const chosen = middle();
        const second = chosen !== null && chosen >= from && chosen <= to ? chosen : (from + to) / 2;
        look((to - from) / times, second, (second - from) / (to - from));
    }
    const move = (share) => look(to - from, from + share * (to - from), 0);

    place.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const act = { "+": () => zoom(CLOSER), "=": () => zoom(CLOSER), "-": () => zoom(1 / CLOSER), 0: () => look(until, 0, 0) }[event.key]
            ?? (event.shiftKey && { ArrowLeft: () => move(-STEP), ArrowRight: () => move(STEP) }[event.key]);
        if (!act) return;
        event.preventDefault();
        act();
    });
    place.addEventListener("wheel", (event) => {
        if (!event.ctrlKey) return; // as a touchpad says that two fingers part
        event.preventDefault();
        const share = shareOf(event.clientX);
        look((to - from) * Math.exp(event.deltaY / 200), from + share * (to - from), share);
    }, { passive: false });

    /** Where each finger is, pixels from the left of the window. @type {Map<number, number>} */
    const fingers = new Map();
    let start = null;
    let isDragged = false;
    const box = () => place.querySelector(".plot")?.getBoundingClientRect() ?? place.getBoundingClientRect(); // not shown: a selector
    const shareOf = (x) => (x - box().left) / box().width;
    const begin = () => {
        const [one, other] = [...fingers.values()];
        start = { from, to, one, other };
    };
    place.addEventListener("pointerdown", (event) => {
        if (!(event.target instanceof Element) || !event.target.closest(".plot")) return; // not shown: a selector
        fingers.set(event.pointerId, event.clientX);
        if (fingers.size === 1) isDragged = false;
        begin();
    });
    place.addEventListener("pointermove", (event) => {
        if (!fingers.has(event.pointerId) || !start) return;
        fingers.set(event.pointerId, event.clientX);
        const [one, other] = [...fingers.values()];
        const long = start.to - start.from;
        if (other !== undefined) {
            isDragged = true;
            hold();
            // Both seconds stay under their fingers.
            const apart = Math.abs(other - one) / Math.max(1, Math.abs(start.other - start.one));
            const second = start.from + shareOf((start.one + start.other) / 2) * long;
            look(long / Math.max(0.01, apart), second, shareOf((one + other) / 2));
        } else if (!isWhole() && (isDragged || Math.abs(one - start.one) > DRAG)) {
            isDragged = true;
            hold();
            look(long, start.from - ((one - start.one) / box().width) * long, 0);
        }
    });
    /** What is drawn anew under a finger does not end its move. */
    const hold = () => { for (const id of fingers.keys()) if (!place.hasPointerCapture(id)) place.setPointerCapture(id); };
    for (const type of ["pointerup", "pointercancel"]) {
        place.addEventListener(type, (/** @type {any} */ event) => {
            if (!fingers.delete(event.pointerId)) return;
            if (fingers.size > 0) begin();
            else start = null;
        });
    }
    // A finger that moved the chart asks for no point.
    place.addEventListener("click", (event) => {
        if (!isDragged) return;
        isDragged = false;
        event.stopPropagation();
    }, { capture: true });
    show();
    return make("div", { class: "chart-zoomed" }, bar, place);
}
