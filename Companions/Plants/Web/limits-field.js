import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { t } from "../language/text.js";

/**
 * Two sliders: below which moisture the plant wants water, above which it stands too wet. Whether the pair makes
 * sense, the hub says.
 * @param {{low: number, high: number}} limits  percent
 * @param {boolean} [isProposed]  the limits are the hub's proposal: until a slider moves, there is nothing to send
 */
export function limitsField(limits, isProposed = false) {
    let isChosen = !isProposed;
    const said = make("p", { class: "problem", hidden: true, id: "limits-problem" });
    const low = slider(t`Dry below`, limits.low);
    const high = slider(t`Wet above`, limits.high);
    const preview = make("span", { class: "moisture limits-preview", "aria-hidden": true });
    const show = () => {
        preview.style.setProperty("--low", low.input.value);
        preview.style.setProperty("--high", high.input.value);
        preview.style.setProperty("--value", "0");
        problem(null);
    };
    const problem = (words) => {
        said.hidden = !words;
        said.replaceChildren(...(words ? [icon("warning"), make("span", {}, words)] : []));
    };
    // They cannot cross: one that is pushed against the other takes it along.
    for (const [{ input }, other] of [[low, high], [high, low]]) {
        input.addEventListener("input", () => {
            isChosen = true;
            if (Number(low.input.value) > Number(high.input.value)) other.set(Number(input.value));
            show();
        });
    }
    show();
    const node = make("fieldset", { class: "field", "aria-describedby": said.id },
        make("legend", { class: "label" }, t`What it likes`), preview, low.node, high.node, said);
    return {
        name: "limits", node, input: low.input, problem,
        /** Another proposal, such as for another kind of plant. */
        propose: (proposed) => {
            if (isChosen) return;
            low.set(proposed.low);
            high.set(proposed.high);
            show();
        },
        /** Those of a kind that somebody has chosen. */
        take: (chosen) => {
            isChosen = true;
            low.set(chosen.low);
            high.set(chosen.high);
            show();
        },
        get value() {
            return isChosen ? { low: Number(low.input.value), high: Number(high.input.value) } : undefined;
        },
    };
}

function slider(word, value) {
    const output = make("output", { class: "strong" });
    const input = make("input", {
        type: "range", min: 0, max: 100, step: 1, value: String(value), vars: { value }, "aria-label": word,
    });
    const show = () => {
        input.style.setProperty("--value", input.value);
        input.setAttribute("aria-valuetext", t`${input.value} percent`);
        output.textContent = t`${input.value}%`;
    };
    input.addEventListener("input", show);
    show();
    const node = make("div", { class: "slider limit" }, make("span", { class: "small" }, word, " ", output), input);
    const set = (percent) => {
        input.value = String(percent);
        show();
    };
    return { node, input, set };
}
