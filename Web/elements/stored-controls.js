/**
 * Controls that show what is stored, and store what is changed. The one rule of all settings: what somebody has touched
 * and that is not stored yet is not overwritten by data that comes meanwhile, since that was asked for before. Once it
 * is stored, or could not be, the controls show what is stored.
 *
 * The data has an `id` where it may be of one or another, such as a person: of somebody else it is shown at once.
 * @param {HTMLElement} node  what holds the controls
 * @param {(data: object) => void} draw  has them show it
 * @returns {{show: (data: object) => void, save: (work: (data: object) => Promise<any>) => Promise<any>}}
 *   `show`: these are the data; `save`: does work that stores something, after what was to be stored before it, with
 *   what is known by then of whoever was shown when it was called. What the work answers with their `id` is known from
 *   then on.
 */
export function storedControls(node, draw) {
    const known = new Map(); // what was answered last, by its id
    const onTheirWay = new Map(); // how many changes are, by the id of what they change
    let shown = null;
    let touched = null; // what is being moved, or typed in
    let isBehind = false; // data that are not drawn yet
    let last = Promise.resolve();

    const isHeld = () => touched !== null || onTheirWay.has(shown.id);
    const drawUnlessHeld = () => {
        if (!shown) return;
        isBehind = isHeld();
        if (!isBehind) draw(known.get(shown.id));
    };
    const show = (data) => {
        if (shown?.id !== data.id) touched = null;
        shown = data;
        known.set(data.id, data);
        drawUnlessHeld();
    };
    const count = (id, by) => {
        const others = (onTheirWay.get(id) ?? 0) + by;
        if (others > 0) onTheirWay.set(id, others);
        else onTheirWay.delete(id);
    };
    const save = (work) => {
        const { id } = shown;
        count(id, 1);
        const done = last.then(async () => {
            try {
                const answer = await work(known.get(id));
                if (answer && answer.id === id) known.set(id, answer);
                return answer;
            } finally {
                count(id, -1);
                drawUnlessHeld();
            }
        });
        last = done.catch(() => {});
        return done;
    };

    const release = (control) => {
        if (control !== touched) return;
        touched = null;
        if (isBehind) drawUnlessHeld();
    };
    node.addEventListener("input", ({ target }) => {
        if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
        // A switch or a choice is changed as it is touched: its own listener saves it.
        if (target === touched || !target.matches("input:not([type=checkbox], [type=radio]), textarea")) return;
        touched = target;
        // A slider that is moved and put back has not changed: that it was let go of is all that it says.
        if (target.type !== "range") return;
        for (const type of ["pointerup", "pointercancel"]) {
            document.addEventListener(type, () => setTimeout(() => release(target)), { once: true });
        }
    });
    for (const type of ["change", "focusout"]) {
        node.addEventListener(type, ({ target }) => release(target));
    }
    return { show, save };
}
