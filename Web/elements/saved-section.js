import { isAborted } from "../house/api.js";
import { wordsOf } from "../house/problem.js";
import { icon } from "./icon.js";
import { fill, make } from "./make.js";

let count = 0;

/**
 * A section of settings that are stored as they are changed: beside its heading stands that they were, and at the
 * control that it was about stands what the hub had against one.
 * @param {string} title
 * @param {{value?: Node}} [options]  `value`: what it all comes to, beside the heading
 */
export function savedSection(title, options = {}) {
    const id = `s-${title.toLowerCase().replace(/[^a-z]+/g, "-")}`;
    const state = make("span", { class: "saved fine", role: "status" });
    const body = make("div", { class: "stack" });
    const node = make("section", { class: "section", "aria-labelledby": id },
        make("div", { class: "section-head" }, make("h2", { id }, title), state, options.value), body);
    const trouble = make("p", { class: "problem", id: `${id}-problem-${count += 1}`, role: "alert" });
    let blamed = null;
    const forget = () => {
        trouble.remove();
        blamed?.removeAttribute("aria-invalid");
        blamed?.removeAttribute("aria-describedby");
        blamed = null;
    };
    const blame = (error, control) => {
        fill(trouble, icon("warning"), make("span", {}, wordsOf(error)));
        blamed = control;
        control?.setAttribute("aria-invalid", "true");
        control?.setAttribute("aria-describedby", trouble.id);
        (control?.closest("[data-field]") ?? body.lastElementChild ?? body).after(trouble);
    };
    let last = Promise.resolve();
    /**
     * Does work that stores something, after what was to be stored before it.
     * @param {() => Promise<any>} work
     * @param {{control?: HTMLElement, back?: () => void}} [about]  `control`: what was touched; `back`: puts it back
     * @returns {Promise<boolean>}  whether it is stored
     */
    const save = (work, about = {}) => {
        last = last.then(() => stored(work, about));
        return last;
    };
    const stored = async (work, { control, back }) => {
        forget();
        state.dataset.state = "saving";
        state.textContent = "Saving";
        try {
            await work();
            state.dataset.state = "saved";
            fill(state, icon("check"), "Saved");
            return true;
        } catch (error) {
            state.textContent = "";
            delete state.dataset.state;
            if (isAborted(error)) return false;
            back?.();
            blame(error, fieldOf(body, error) ?? control);
            return false;
        }
    };
    return { node, body, save };
}

/** The control that the hub means, where it names one. */
function fieldOf(body, { field }) {
    return field ? [...body.querySelectorAll("[name]")].find((one) => one.name === field) : null;
}
