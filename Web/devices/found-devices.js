import { age } from "../elements/age.js";
import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { notice } from "../elements/notice.js";
import { sheet } from "../elements/sheet.js";
import { toast } from "../elements/toast.js";
import { get, post } from "../app/api.js";
import { measured, withUnit } from "../text/numbers.js";
import { t } from "../language/text.js";

/**
 * The sensors of other makers that were found and are no devices yet.
 * @param {string[]} slugs  of the companions whose devices are wanted
 */
export async function foundDevices(slugs) {
    const all = await get("/api/found-devices");
    return all.filter(({ isAdopted, companion }) => !isAdopted && slugs.includes(companion ?? slugs[0]));
}

/** What a found sensor said last, in a line. */
export function lastWords({ sensors, isAway, isAdoptable, needsKey, model }) {
    if (needsKey) return t`Found here, and wants its key: ${model}`;
    if (!isAdoptable) return t`Found here, and cannot be used yet`;
    const said = sensors.filter(({ value }) => value !== undefined && value !== null).slice(0, 3)
        .map(({ title, value, unit }) => `${title} ${withUnit(measured(value), unit)}`).join(", "); // not shown: put together of words of the hub
    if (isAway) return t`It says that it is not there now`;
    const more = said || model;
    return more ? t`Found here: ${more}` : t`Found here`;
}

/**
 * Opens a found sensor: what it measures, and one button that makes it a device of the household.
 * @param {Contract.Answer<"GET", "/api/found-devices">[number]} found
 * @param {(device: object?) => void} [closed]  given the device that was made, or null
 */
export function openFound(found, closed) {
    let device = null;
    const name = field({ label: t`Name`, name: "name", value: found.name, required: true });
    const rows = make("ul", { class: "rows" }, found.sensors.map(({ title, value, unit, at, problem }) =>
        make("li", { class: "row" }, icon(problem ? "warning" : "radio"),
            make("span", { class: "words" }, make("span", { class: "name" }, title),
                make("span", { class: "fine" }, problem ?? (at ? age(at, { plain: true, words: (ago) => t`Last heard ${ago}.` }) : t`Not heard yet`))),
            value !== undefined && value !== null && make("span", { class: "value" }, withUnit(measured(value), unit)))));
    if (found.needsKey) return askForKey(found, closed);
    const opened = sheet(found.name, {
        lead: found.model || undefined, closed: () => closed?.(device),
        body: [make("div", { class: "stack" },
            found.isAway && notice({ icon: "warning", title: t`Not there now`, words: t`It says itself that it is away. You can add it all the same.` }),
            rows,
            found.isAdoptable
                ? form({
                    fields: [name], word: t`Add it`, icon: "plus",
                    send: async () => {
                        device = await post(/** @type {const} */ (`/api/found-devices/${found.id}/adopt`), { name: name.value.trim() });
                        toast(t`${device.name} is one of your devices now.`);
                        opened.close();
                    },
                })
                : make("p", { class: "second" }, t`Nothing of it can be used yet. What to change stands above.`))],
    });
}

/** Asks for the key of a sensor that encrypts what it measures; what it says then is found anew. */
function askForKey(found, closed) {
    const key = field({
        label: t`Key`, name: "key", required: true, hint: t`32 digits and letters, from where the sensor was set up: its app, or the page that made its firmware.`,
    });
    const opened = sheet(found.name, {
        lead: found.model || undefined, closed: () => closed?.(null),
        body: [make("div", { class: "stack" },
            notice({
                icon: found.isKeyWrong ? "warning" : "key",
                title: found.isKeyWrong ? t`That was not its key` : t`It encrypts what it measures`,
                words: t`With its key the hub can read it. The key stays on the hub.`,
            }),
            form({
                fields: [key], word: t`Save the key`, icon: "check",
                send: async () => {
                    await post(/** @type {const} */ (`/api/found-devices/${found.id}/key`), { key: key.value.trim() });
                    toast(t`Saved. What it measures appears here as soon as it is heard, within a minute or two.`);
                    opened.close();
                },
            }))],
    });
}
