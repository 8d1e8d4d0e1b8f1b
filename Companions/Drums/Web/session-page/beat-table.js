import { make } from "../../elements/make.js";
import { tableScroll } from "../../elements/table-scroll.js";
import { t } from "../../language/text.js";
import { number } from "../../text/numbers.js";
import { PADS } from "../pads.js";
import { VERDICT_TEXT } from "./verdict-text.js";

/** Every beat as a row. */
export function beatTable({ beatList, chart, mode }) {
    const isFlow = mode === "flow";
    const hasForce = beatList.some(({ force }) => Number.isFinite(force));
    const cell = (value, decimals = 0) => make("td", { class: "n" },
        Number.isFinite(value) ? number(value, decimals) : "–");
    return tableScroll(t`Every beat, as a table`,
        make("table", { class: "table" },
            make("thead", {}, make("tr", {},
                [t`Beat`, t`Drum`, t`Answer`].map((word) => make("th", { scope: "col" }, word)),
                make("th", { scope: "col", class: "n" }, t`Reaction, ms`),
                isFlow && make("th", { scope: "col", class: "n" }, t`Late, ms`),
                hasForce && make("th", { scope: "col", class: "n" }, t`Force`))),
            make("tbody", {}, beatList.map((one) => make("tr", {},
                make("th", { scope: "row" }, number(one.step / chart.stepsPerBeat + 1, 2)),
                make("td", {}, PADS[one.drum].word),
                make("td", {}, answerOf(one)),
                cell(one.reaction), isFlow && cell(one.error), hasForce && cell(one.force, 1))))));
}

/** "after another drum: Red; the music waited 1.2 s". */
function answerOf({ verdict, wrong, waited }) {
    const words = VERDICT_TEXT[verdict] ?? verdict;
    const answer = wrong.length > 0 ? `${words}: ${wrong.map((drum) => PADS[drum].word).join(", ")}` : words;
    return waited > 0 ? t`${answer}; the music waited ${number(waited / 1000, 1)} s` : answer;
}
