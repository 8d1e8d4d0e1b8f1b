import { button } from "../elements/button.js";
import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { fill, make } from "../elements/make.js";
import { sheet } from "../elements/sheet.js";
import { get, post } from "../app/api.js";
import { newcomerOf } from "../app/companions.js";
import { ANY_DEVICE, deviceSetup } from "./device-setup.js";
import { t } from "../language/text.js";

/**
 * Opens the sheet that adds a device: a name, then its id and token, then its first reading.
 * @param {{kind: string, suggestion: string, closed?: (device: object?) => void}} options  `kind`: as the hub names it;
 *   `suggestion`: of a name; `closed` is given the device that was made, or null
 */
export async function addDevice({ kind, suggestion, closed }) {
    const newcomer = await newcomerOf(kind) ?? ANY_DEVICE;
    let device = null;
    const name = field({
        label: t`Name`, name: "name", value: suggestion, required: true,
        hint: t`So that you recognise it, for example by where it stands.`,
    });
    const asked = form({
        fields: [name], word: t`Add device`, icon: "plus",
        send: async () => {
            const hub = await get("/api/hub");
            const made = await post("/api/devices", { kind, name: name.value.trim() });
            device = made.device;
            fill(body, deviceSetup({ id: made.id, token: made.token, name: made.device.name }, hub, opened.signal, newcomer),
                make("div", { class: "sheet-actions" },
                    button(t`Done`, { kind: "primary", press: () => opened.close() })));
            opened.paper.querySelector("h2").textContent = made.device.name;
            opened.paper.querySelector("h2").focus();
        },
    });
    const body = make("div", { class: "stack" }, asked);
    const opened = sheet(t`Add device`, {
        lead: newcomer.lead, body: [body],
        closed: () => closed?.(device),
    });
    name.input.focus();
    name.input.select();
}
