import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { number } from "../../text/numbers.js";
import { PADS } from "../pads.js";
import { VERDICT_TEXT } from "./verdict-text.js";

/** Every beat as a row. */
export function beatTable({ beatList, chart, mode }) {
    const isFlow = mode === "flow";
    const hasForce = beatList.some(({ force }) => Number.isFinite(force));
    const drums = (all) => all.map((drum) => PADS[drum].word).join(", ");
    const cell = (value, decimals = 0) => make("td", { class: "n" },
        Number.isFinite(value) ? number(value, decimals) : "–");
    return make("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": t`Every beat, as a table` },
        make("table", { class: "table" },
            make("thead", {}, make("tr", {}, [t`Beat`, t`Drum`,
                t`Answer`].map((word) => make("th", { scope: "col" }, word)),
                make("th", { scope: "col", class: "n" }, t`Reaction, ms`),
                isFlow && make("th", { scope: "col", class: "n" }, t`Late, ms`),
                hasForce && make("th", { scope: "col", class: "n" }, t`Force`))),
            make("tbody", {}, beatList.map((one) => make("tr", {},
                make("th", { scope: "row" }, number(one.step / chart.stepsPerBeat + 1, 2)),
                make("td", {}, PADS[one.drum].word),
                make("td", {}, VERDICT_TEXT[one.verdict] ?? one.verdict, one.wrong.length > 0 && `: ${drums(one.wrong)}`,
                    one.waited > 0 && `; the music waited ${number(one.waited / 1000, 1)} s`),
                cell(one.reaction), isFlow && cell(one.error), hasForce && cell(one.force, 1))))));
}
