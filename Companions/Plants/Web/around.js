import { age } from "../elements/age.js";
import { fill, make } from "../elements/make.js";
import { measured } from "../text/numbers.js";
import { t } from "../language/text.js";

/** What the plant's sensors measure besides moisture, each with its age. */
export function aroundSection() {
    const list = make("dl", { class: "readouts" });
    const node = make("section", { class: "section", "aria-labelledby": "around", hidden: true },
        make("h2", { id: "around" }, t`Around it`), list);
    const show = ({ around }) => {
        node.hidden = around.length === 0;
        fill(list, around.map(({ title, value, unit, at }) => make("div", {},
            make("dt", {}, title),
            make("dd", {}, measured(value), unit && make("span", { class: "unit" }, unit)),
            make("dd", {}, age(at, { plain: true })))));
    };
    return { node, show };
}
