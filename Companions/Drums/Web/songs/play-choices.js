import { make } from "../../elements/make.js";
import { segmented } from "../../elements/segmented.js";
import { toast } from "../../elements/toast.js";
import { messageOf } from "../../app/problem.js";
import { t } from "../../language/text.js";
import { LEVELS } from "../levels.js";
import { overview } from "../overview.js";

const HANDS = [
    { value: "both", word: t`Both` }, { value: "left", word: t`Left` }, { value: "right", word: t`Right` },
];

/**
 * Level and hand at hand, above "Play". They hold from now on, as in the settings; what a plan sets is said by its
 * words and not asked for.
 */
export function playChoices() {
    const level = segmented(t`Level`, LEVELS, "1", (value) => change({ level: Number(value) }));
    const hands = segmented(t`Hand`, HANDS, "both", (value) => change({ hands: value }));
    const one = (word, control) => make("div", { class: "play-choice" },
        make("span", { class: "fine", "aria-hidden": true }, word), control);
    const levelField = one(t`Level`, level);
    const handsField = one(t`Hand`, hands);
    const node = make("div", { class: "play-choices" }, levelField, handsField);
    let person = null;
    const change = (changes) => overview.change(person, changes)
        .catch((error) => toast(messageOf(error), { icon: "warning" }));
    const show = (data) => {
        person = data;
        const { play } = data;
        level.show(String(play.level));
        hands.show(play.hands);
        levelField.hidden = play.fixed?.includes("level") ?? false;
        handsField.hidden = play.fixed?.includes("hands") ?? false;
    };
    return { node, show };
}
