import { t } from "../../language/text.js";

/** "Pain 2 before and 4 after. Effort 5 after."; empty where nothing was said. */
export function selfReportText({ selfReport: said }) {
    return said ? [painText(said), effortText(said)].filter(Boolean).join(" ") : "";
}

function painText({ painBefore: before, painAfter: after }) {
    if (isSaid(before) && isSaid(after)) return t`Pain ${before} before and ${after} after.`;
    if (isSaid(before)) return t`Pain ${before} before.`;
    return isSaid(after) && t`Pain ${after} after.`;
}

function effortText({ effortBefore: before, effortAfter: after }) {
    if (isSaid(before) && isSaid(after)) return t`Effort ${before} before and ${after} after.`;
    if (isSaid(before)) return t`Effort ${before} before.`;
    return isSaid(after) && t`Effort ${after} after.`;
}

const isSaid = (value) => Number.isFinite(value);
