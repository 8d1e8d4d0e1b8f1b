import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { get } from "../../app/api.js";
import { live } from "../../app/live.js";
import { dayAndTimeWithin } from "../../text/dates.js";
import { bytes } from "../../text/numbers.js";
import { loaded } from "./loaded.js";
import { t } from "../../language/text.js";

const DAYS = 14; // lines shown at first

/** What leaves the house: to whom the hub spoke outside, why, and how much. Only an adult may see it. */
export function outboundSection({ signal, section }) {
    const part = loaded(() => get("/api/outbound", { signal }), draw, signal);
    live.addEventListener("reset", part.reload, { signal });
    return section(t`What leaves the house`, part.node);
}

function draw({ calls, uses, chosen }) {
    const own = chosen.length > 0 && make("ul", { class: "rows" }, chosen.flatMap((use) => use.hosts.map((host) => chosenRow(use, host))));
    uses = [...uses, ...chosen];
    if (calls.length === 0) {
        return [
            make("p", { class: "second with-sign" }, icon("home", "s"),
                make("span", {}, t`Nothing has left this house.`)),
            uses.map(({ words }) => make("p", { class: "second" }, words)),
            own,
        ];
    }
    return [
        uses.map(({ words }) => make("p", { class: "second" }, words)),
        own,
        make("ul", { class: "rows" }, calls.slice(0, DAYS).map(row)),
        calls.length > DAYS
            && make("p", { class: "fine" }, 
                t`And ${calls.length - DAYS} lines of earlier days. Lines are kept for 400 days.`),
    ];
}

/** A host that an adult has chosen: what for, where it is, and when it was called last. */
function chosenRow({ title }, { name, port, houseAddress, lastAt }) {
    const last = lastAt ? t`last ${dayAndTimeWithin(lastAt)}` : t`not called yet`;
    return make("li", { class: "row" }, icon(houseAddress ? "home" : "out"),
        make("span", { class: "words" }, make("span", { class: "name" }, `${name}:${port}`),
            make("span", { class: "fine" }, houseAddress ? t`${title}, at ${houseAddress} in the house, ${last}` : t`${title}, ${last}`)));
}

function row({ host, purpose, calls, bytes: size, lastStatus, lastAt }) {
    const isWell = lastStatus >= 200 && lastStatus < 300;
    return make("li", { class: "row" }, icon("out"),
        make("span", { class: "words" },
            make("span", { class: "name" }, host),
            make("span", { class: "fine" }, t`${purpose}, last ${dayAndTimeWithin(lastAt)}`)),
        !isWell && make("span", { class: "tag", data: { state: "unknown" } }, icon("warning"),
            lastStatus ? t`Answered ${String(lastStatus)}` : t`No answer`),
        make("span", { class: "value small" }, t`${calls} calls, ${bytes(size)}`));
}
