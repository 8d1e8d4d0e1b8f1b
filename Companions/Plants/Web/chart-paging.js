import { iconButton } from "../elements/button.js";
import { make } from "../elements/make.js";
import { localDay, localInput, longDate, shortDate } from "../text/dates.js";
import { t } from "../language/text.js";

/**
 * What turns the pages of a chart: earlier, later, and a date to go to.
 * @param {{earlier: () => any, later: () => any, day: (day: number) => any}} acts  `day`: days since 1970
 */
export function chartPaging({ earlier, later, day }) {
    const back = iconButton(t`Earlier`, "back", earlier);
    const forward = iconButton(t`Later`, "forward", later);
    const words = make("span", { class: "strong", role: "status" });
    const input = make("input", { class: "input", type: "date", "aria-label": t`Last day of the chart` });
    input.addEventListener("change", () => {
        const chosen = Date.parse(input.value);
        if (Number.isFinite(chosen)) day(Math.floor(chosen / 86_400_000));
    });
    const node = make("div", { class: "chart-paging" }, back, make("span", { class: "chart-when" }, words, input), forward);
    const paging = {
        node,
        /** Nothing was measured before what is shown. */
        isFirst: false,
        show: (data, span, isNow) => {
            paging.isFirst = data.beginning === undefined || data.beginning === null || data.from <= data.beginning;
            back.disabled = paging.isFirst;
            forward.disabled = isNow;
            const last = data.to - 1;
            words.textContent = span === "day" && localDay(data.from) === localDay(last)
                ? longDate(data.from) : t`${shortDate(data.from)} to ${shortDate(last)}`;
            input.max = localInput(data.now).slice(0, 10);
            input.min = Number.isFinite(data.beginning) ? localInput(data.beginning).slice(0, 10) : "";
            if (document.activeElement !== input) input.value = localInput(last).slice(0, 10);
        },
    };
    return paging;
}
