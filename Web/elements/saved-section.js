import { isAborted } from "../app/api.js";
import { messageOf } from "../app/problem.js";
import { icon } from "./icon.js";
import { fill, make } from "./make.js";
import { storedControls } from "./stored-controls.js";
import { toast } from "./toast.js";
import { t } from "../language/text.js";

let count = 0;

/**
 * A section of settings that are stored as they are changed: beside its heading stands that they were, and at the
 * control that it was about stands what the hub had against one. What is touched stays as it is until then, see
 * {@link storedControls}.
 * @param {string} title
 * @param {(data: object) => void} draw  has the controls show what is stored
 * @param {{value?: Node}} [options]  `value`: what it all comes to, beside the heading
 */
export function savedSection(title, draw, options = {}) {
    const id = `saved-section-${count += 1}`;
    const state = make("span", { class: "saved fine", role: "status" });
    const body = make("div", { class: "stack" });
    const node = make("section", { class: "section", "aria-labelledby": id },
        make("div", { class: "section-head" }, make("h2", { id }, title), state, options.value), body);
    const trouble = make("p", { class: "problem", id: `${id}-problem`, role: "alert" });
    const controls = storedControls(body, draw);
    let shown = null; // the id of who is shown
    let saving = 0;
    let blamed = null;
    /** @param {"saving" | "saved" | null} now */
    const say = (now) => {
        if (now) state.dataset.state = now;
        else delete state.dataset.state;
        fill(state, now === "saved" && icon("check"), now === "saved" ? t`Saved` : now === "saving" && t`Saving`);
    };
    const forget = () => {
        trouble.remove();
        blamed?.removeAttribute("aria-invalid");
        blamed?.removeAttribute("aria-describedby");
        blamed = null;
    };
    const blame = (error, control) => {
        forget();
        fill(trouble, icon("warning"), make("span", {}, messageOf(error)));
        blamed = control;
        control?.setAttribute("aria-invalid", "true");
        control?.setAttribute("aria-describedby", trouble.id);
        (control?.closest("[data-field]") ?? body.lastElementChild ?? body).after(trouble);
    };
    const show = (data) => {
        if (shown !== null && data.id !== shown) {
            forget();
            say(null);
        }
        shown = data.id ?? null;
        controls.show(data);
    };
    /**
     * Does work that stores something, after what was to be stored before it.
     * @param {(data: object) => Promise<any>} work  given what is known by then of who was shown when it was touched;
     *   what it answers with their id is known from then on
     * @param {HTMLElement} [control]  what was touched
     * @returns {Promise<boolean>}  whether it is stored
     */
    const save = async (work, control) => {
        const whose = shown;
        if (saving === 0) forget(); // what was wrong with one of several that were touched at once stays said
        saving += 1;
        say("saving");
        let problem = null;
        try {
            await controls.save(work);
        } catch (error) {
            problem = error;
        }
        saving -= 1;
        if (problem && !isAborted(problem)) {
            if (whose === shown) blame(problem, fieldOf(body, problem) ?? control);
            else toast(t`Not saved: ${messageOf(problem)}`, { icon: "warning" });
        }
        if (saving === 0) say(problem || trouble.isConnected || whose !== shown ? null : "saved");
        return problem === null;
    };
    return { node, body, show, save };
}

/** The control that the hub means, where it names one. */
function fieldOf(body, { field }) {
    return field ? [...body.querySelectorAll("[name]")].find((one) => one.name === field) : null;
}
