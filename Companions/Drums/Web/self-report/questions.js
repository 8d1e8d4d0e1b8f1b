import { button } from "../../elements/button.js";
import { fill, make } from "../../elements/make.js";
import { t } from "../../language/text.js";

let count = 0;

/**
 * Asks one question after the other, each answered with one tap.
 * @param {Drums.SelfReportQuestionsResponse.Scale[]} scales  as the overview has them
 * @param {"before"|"after"} moment
 * @param {(said: {pain?: number, effort?: number}, stops: boolean) => void} done  `said`: without what somebody would
 *   rather not say; `stops`: whether an answer is one at which the plan says to stop
 * @returns {HTMLElement}
 */
export function questions(scales, moment, done) {
    const node = make("div", { class: "self-report" });
    const said = {};
    let stops = false;
    const ask = (place) => {
        const scale = scales[place];
        if (!scale) return done(said, stops);
        const id = `self-report-${count += 1}`;
        const question = make("p", { class: "self-report-question", id, tabindex: "-1" }, scale[moment]);
        const choose = (choice) => {
            if (choice) said[scale.name] = choice.value;
            stops ||= choice?.stops === true;
            ask(place + 1);
        };
        fill(node, question,
            make("div", { class: "self-report-choices", role: "group", "aria-labelledby": id },
                scale.choices.map((choice) => choiceButton(choice, scale.choices.length - 1, () => choose(choice)))),
            make("dl", { class: "self-report-words fine", "aria-hidden": true }, scale.choices.filter(({ words }) => words)
                .map(({ value, words }) => make("div", {}, make("dt", {}, String(value)), make("dd", {}, words)))),
            button(t`Rather not say`, { kind: "quiet", press: () => choose(null) }));
        if (place > 0) question.focus();
    };
    ask(0);
    return node;
}

/**
 * A number, filled as far as it is one of the most.
 * @param {Drums.SelfReportQuestionsResponse.Choice} choice
 * @param {number} most
 * @param {() => void} press
 */
function choiceButton({ value, words }, most, press) {
    return make("button", {
        type: "button", class: "self-report-choice", vars: { part: `${(value / most) * 100}%` },
        "aria-label": words ? `${value}, ${words}` : String(value), on: { click: press },
    }, String(value));
}
