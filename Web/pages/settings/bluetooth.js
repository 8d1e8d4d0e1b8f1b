import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { get } from "../../app/api.js";
import { loaded } from "./loaded.js";
import { t } from "../../language/text.js";

/** The hub's own Bluetooth radio: how it stands, in a sentence. Not there on a computer without one. */
export function bluetoothSection({ signal, section }) {
    const part = loaded(() => get("/api/bluetooth", { signal }), (state) => {
        node.hidden = state.status === "none";
        return [make("p", { class: "second with-sign" }, icon(state.status === "off" ? "warning" : "radio", "s"),
            make("span", {}, words(state)))];
    }, signal);
    const node = section(t`Bluetooth`, part.node);
    node.hidden = true;
    return node;
}

function words({ status, devices }) {
    if (status === "off") return t`The Bluetooth of the hub’s computer is switched off. Once it is on, the hub hears sensors near it.`;
    if (devices > 0) return t`The hub listens: some of your devices speak to it by Bluetooth.`;
    return t`The hub can hear sensors and other devices near it. It listens while somebody adds one, and not otherwise.`;
}
