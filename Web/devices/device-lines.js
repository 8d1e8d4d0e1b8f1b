import { age } from "../elements/age.js";
import { copyLine } from "../elements/copy.js";
import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { get } from "../app/api.js";
import { loaded } from "../pages/settings/loaded.js";
import { t } from "../language/text.js";
import { mqttHost } from "./device-setup.js";

/**
 * What a device sent last beside its own topics, and the lines to paste into its firmware; asked for once somebody unfolds it.
 * @param {string} id
 * @param {AbortSignal} signal
 */
export function deviceLines(id, signal) {
    const node = make("details", { class: "unfold" }, make("summary", {}, icon("down", "s"), t`Lines for its firmware`));
    node.addEventListener("toggle", async () => {
        if (!node.open || node.childElementCount > 1) return;
        const hub = await get("/api/hub", { signal });
        const part = loaded(() => get(/** @type {const} */ (`/api/devices/${encodeURIComponent(id)}/lines`), { signal }), ({ last, lines }) => [
            last && make("div", { class: "field" }, make("span", { class: "label" }, t`It sent last beside its own topics`),
                make("p", { class: "small" }, make("code", {}, last.topic), " ", make("code", {}, last.payload)),
                make("span", { class: "hint" }, age(last.at))),
            lines.length > 0 && make("p", { class: "small second" }, t`TOKEN stands for its token, which is shown once when the device is added or gets a new one.`),
            lines.length === 0 && !last && make("p", { class: "small second" }, t`There is nothing to paste for this kind of device.`),
            lines.map(({ firmware, text }) => make("div", { class: "field" }, make("span", { class: "label" }, firmware),
                copyLine(text.replaceAll("HOST", mqttHost(hub.mqtt.host)), t`Copy the lines for ${firmware}`))),
        ], signal);
        node.append(make("div", { class: "stack" }, part.node));
    }, { signal });
    return node;
}
