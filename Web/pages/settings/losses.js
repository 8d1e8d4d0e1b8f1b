import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { get } from "../../app/api.js";
import { live } from "../../app/live.js";
import { dayAndTimeWithin } from "../../text/dates.js";
import { loaded } from "./loaded.js";
import { lossWords } from "./loss-words.js";
import { t } from "../../language/text.js";

/**
 * What was dropped or refused since the hub started: by reason, in words, with what to do. One line where that is nothing.
 * Only an adult may see it.
 */
export function lossesSection({ signal, section }) {
    const part = loaded(() => get("/api/losses", { signal }), draw, signal);
    live.addEventListener("reset", part.reload, { signal });
    return section(t`Dropped and refused`, part.node);
}

/** @param {Hub.LossesResponse} answer */
function draw({ since, losses }) {
    if (losses.length === 0) {
        return make("p", { class: "second with-sign" }, icon("check", "s"),
            make("span", {}, t`The hub has dropped and refused nothing since it started, ${dayAndTimeWithin(since)}.`));
    }
    return [
        make("p", { class: "second" }, t`Since the hub started, ${dayAndTimeWithin(since)}. Stored readings are not among them.`),
        make("ul", { class: "rows" }, losses.map(row)),
    ];
}

function row({ reason, kind, count }) {
    const { name, todo } = lossWords(reason);
    return make("li", { class: "row" }, icon(kind === "refused_client" ? "lock" : "info"),
        make("span", { class: "words" },
            make("span", { class: "name" }, name),
            make("span", { class: "small" }, counted(kind, count)),
            make("span", { class: "fine" }, todo)));
}

function counted(kind, count) {
    switch (kind) {
        case "dropped_message": return t`${count} messages dropped`;
        case "refused_message": return t`${count} messages not taken`;
        case "refused_subscription": return t`${count} requests refused`;
        case "refused_client": return t`${count} tries refused`;
        default: return t`${count} connections closed`;
    }
}
