import { age } from "../elements/age.js";
import { button } from "../elements/button.js";
import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { fill, make, NODE, withNode } from "../elements/make.js";
import { notice, problemNotice } from "../elements/notice.js";
import { confirm, sheet } from "../elements/sheet.js";
import { linesSkeleton } from "../elements/skeleton.js";
import { toast } from "../elements/toast.js";
import { get, isAborted, patch, post, remove } from "../app/api.js";
import { newcomerOf } from "../app/companions.js";
import { live } from "../app/live.js";
import { signIn } from "../app/sign-in.js";
import { dayAndTime } from "../text/dates.js";
import { measured } from "../text/numbers.js";
import { deviceLines } from "./device-lines.js";
import { ANY_DEVICE, deviceSetup } from "./device-setup.js";
import { t } from "../language/text.js";

/**
 * Everything about one device: what it sends, what went wrong, its name, a new token, its removal.
 * @param {string} id
 * @param {() => any} [changed]  called when its name, token or being changed
 */
export function openDevice(id, changed = () => {}) {
    const path = /** @type {const} */ (`/api/devices/${encodeURIComponent(id)}`);
    const body = make("div", { class: "stack" }, linesSkeleton(60, 90, 40));
    const opened = sheet(t`Device`, { body: [body] });
    const title = opened.paper.querySelector("h2");
    const facts = make("div", { class: "stack" });
    /** @type {Contract.Answer<"GET", "/api/devices/a">?} */
    let device = null;

    const load = async () => {
        try {
            device = await get(path, { signal: opened.signal });
        } catch (error) {
            if (!isAborted(error)) fill(body, problemNotice(error, { retry: load }));
            return;
        }
        title.textContent = device.name;
        fill(facts, about(device), device.series.length > 0 && readings(device.series),
            device.aheadAt && notice({
                icon: "clock", title: t`A reading lies in the future`,
                words: t`It is of ${dayAndTime(device.aheadAt)}: a clock was wrong when it came, or is wrong now. It is kept as it came, and nothing is reckoned from it until then.`,
            }),
            device.lastError && trouble(device));
        if (!facts.isConnected) fill(body, facts, signIn.isAdult && changes());
    };
    const changes = () => {
        const name = field({ label: t`Name`, name: "name", value: device.name, required: true });
        return make("div", { class: "stack" },
            form({
                fields: [name], word: t`Rename`,
                send: async () => {
                    await patch(path, { name: name.value.trim() });
                    toast(t`Renamed.`);
                    changed();
                    await load();
                },
            }),
            !device.virtual && deviceLines(id, opened.signal),
            make("div", { class: "sheet-actions" },
                !device.virtual && button(t`New token`, { icon: "lock", press: newToken }),
                button(t`Remove device`, { kind: "danger", icon: "trash", press: removal })));
    };
    const newToken = () => confirm({
        title: t`A new token?`, yes: t`Make a new token`,
        lead: t`The old one stops working at once: ${device.name} cannot sign in until it has the new one.`,
        act: async () => {
            // Asked before: a token that is made is shown.
            const [hub, newcomer] = await Promise.all([get("/api/hub"), newcomerOf(device.kind)]);
            const made = await post(`${path}/token`);
            fill(body, deviceSetup({ id, token: made.token, name: device.name }, hub, opened.signal, newcomer ?? ANY_DEVICE),
                make("div", { class: "sheet-actions" },
                    button(t`Done`, { kind: "primary", press: () => opened.close() })));
            changed();
        },
    });
    const removal = () => confirm({
        title: t`Remove ${device.name}?`, yes: t`Remove device`, no: t`Keep it`,
        lead: t`It can no longer sign in. What it measured stays on the hub. This cannot be undone.`,
        act: async () => {
            await remove(path);
            opened.close();
            toast(t`${device.name} was removed.`, { icon: "trash" });
            changed();
        },
    });

    live.addEventListener("device", ({ detail }) => {
        if (detail.device === id && device) load();
    }, { signal: opened.signal });
    load();
}

function about(device) {
    const link = device.connected ? t`Connected now.` : t`Not connected now.`;
    const how = device.virtual ? t`Virtual, made by the hub.` : link;
    return make("p", { class: "second" }, how, " ", !device.lastSeenAt
        ? t`No reading of it has come yet.`
        : age(device.lastSeenAt, { plain: true, words: (ago) => t`Last heard ${ago}.` }),
    make("span", { class: "fine block" }, withNode(t`ID ${NODE}`, make("code", {}, device.id))));
}

function readings(series) {
    return make("dl", { class: "readouts" }, series.map(({ title, unit, value, at }) => make("div", {},
        make("dt", {}, title),
        make("dd", {}, measured(value), unit && make("span", { class: "unit" }, unit)),
        make("dd", {}, age(at, { plain: true })))));
}

/** @param {Devices.DeviceResponse} device */
function trouble({ errorCount, lastError }) {
    return notice({
        icon: "warning", state: "problem", title: t`${errorCount} messages were refused`,
        words: `${dayAndTime(lastError.at)}, ${lastError.topic}: ${lastError.message}`,
    });
}
