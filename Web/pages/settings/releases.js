import { button } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { sheet } from "../../elements/sheet.js";
import { toast } from "../../elements/toast.js";
import { get, put } from "../../app/api.js";
import { live } from "../../app/live.js";
import { houseAddressField } from "../../reminders/house-address.js";
import { dayAndTimeWithin } from "../../text/dates.js";
import { loaded } from "./loaded.js";
import { t } from "../../language/text.js";

/** Whether there is a newer version of the hub, and where that is asked: nobody is, until an adult says so. */
export function releasesPart(signal) {
    const part = loaded(() => get("/api/releases", { signal }), (releases) => draw(releases, part.reload), signal);
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "hub" && detail.what === "releases") part.reload();
    }, { signal });
    return part.node;
}

function draw(releases, changed) {
    const { address, latest, update, page, checkedAt, lastError } = releases;
    const edit = button(address ? t`Change where it asks` : t`Look for new versions`, {
        press: () => ask(releases, changed),
    });
    if (!address) return make("div", { class: "row-of-buttons" }, edit);
    return [
        update && notice({
            icon: "info", title: t`Version ${update} is there`,
            words: t`Make a backup first; then update as you installed Tandem.`,
            actions: [make("a", { class: "button", href: page, target: "_blank", rel: "noreferrer" }, t`What is new`)],
        }),
        lastError ? make("p", { class: "problem" }, icon("warning"), make("span", {}, lastError))
            : !update && make("p", { class: "second with-sign" }, icon("check", "s"),
                make("span", {}, latest ? t`No newer version is published, asked ${dayAndTimeWithin(checkedAt)}.` : t`Nobody was asked yet.`)),
        make("div", { class: "row-of-buttons" }, edit),
    ];
}

function ask({ address }, changed) {
    const place = field({
        label: t`The project’s address`, name: "address", value: address ?? "",
        hint: t`Where Tandem is published, such as https://codeberg.org/owner/tandem`,
        attributes: { inputmode: "url", spellcheck: "false" },
    });
    const houseAddress = houseAddressField();
    const opened = sheet(t`Look for new versions`, {
        lead: t`Once a day the hub asks there which version is the newest. Nothing else leaves the house. Leave it empty to ask nobody.`,
        body: [make("div", { class: "stack" }, form({
            fields: [place, houseAddress], word: t`Keep`,
            send: async () => {
                const answer = await put("/api/releases", {
                    address: place.value.trim() || undefined, houseAddress: houseAddress.value.trim() || undefined,
                });
                opened.close();
                toast(answer.address ? t`The hub asks there once a day.` : t`The hub asks nobody any more.`, { icon: "check" });
                await changed();
            },
        }))],
    });
}
