import { addDevice } from "../../devices/add-device.js";
import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { calmNotice } from "../../elements/notice.js";
import { get, isAborted } from "../../app/api.js";
import { live } from "../../app/live.js";
import { signIn } from "../../app/sign-in.js";
import { t } from "../../language/text.js";
import { LINK } from "./link.js";
import { linkRow } from "./link-row.js";
import { KINDS } from "./link-text.js";
import { links } from "./links.js";

const KIT = "drum-kit"; // the hub's name for this kind of device

/**
 * The kits in the house's network: each with its state, and the way to add one.
 * @param {{watched: (link: object) => object, last: object?, signal: AbortSignal, leave: (link: object, key: string) => any,
 *   made: Map}} options
 */
export function wifiRows({ watched, last, signal, leave, made }) {
    const body = make("ul", { class: "rows links" });
    const add = signIn.isAdult && button(t`Add a kit`, {
        kind: "quiet", icon: "plus",
        press: () => addDevice({ kind: KIT, suggestion: t`Drum kit`, closed: (device) => { if (device) load(); } }),
    });
    const none = make("li", { class: "row link-row", data: { kind: LINK.wifi } });
    const node = make("li", { class: "link-group" }, body);
    let rows = [];
    const draw = () => { for (const row of rows) row.draw(); };

    const rowOf = (device) => {
        const key = `wifi ${device.id}`;
        const own = () => (links.current?.kind === LINK.wifi && links.current.id === device.id ? links.current
            : made.get(key) ?? null);
        if (own()) watched(own());
        return linkRow({
            kind: LINK.wifi, name: device.name, link: own, wasLast: last?.kind === LINK.wifi && last.id === device.id,
            what: device.connected ? t`Connected to the hub.` : t`Not connected to the hub right now. Switch it on.`,
            isUsed: () => links.current !== null && links.current === own(),
            connect: async () => {
                const { WiFiKit } = await import("./wifi-kit.js");
                if (!own()) made.set(key, watched(new WiFiKit(device)));
                return own().connect();
            },
            cancel: () => {
                if (links.current === own()) leave(own(), key);
                else own()?.disconnect();
            },
            more: () => [button(t`Disconnect`, { kind: "quiet", press: () => leave(own(), key) })],
        });
    };
    const load = async () => {
        try {
            const devices = (await get("/api/devices", { signal })).filter(({ kind }) => kind === KIT);
            rows = devices.map(rowOf);
            const { name, icon: sign } = KINDS[LINK.wifi];
            fill(none, icon(sign), make("span", { class: "words" },
                devices.length === 0 ? make("span", { class: "name" }, name) : null,
                make("span", { class: "small second" }, saying(devices))), add);
            fill(body, rows.map((row) => row.node), none);
            none.hidden = devices.length > 0 && !add;
        } catch (error) {
            if (!isAborted(error)) fill(body, make("li", { class: "row" }, calmNotice(error, { retry: load })));
        }
    };
    for (const type of /** @type {const} */ (["device", "reset"])) live.addEventListener(type, load, { signal });
    load();
    return { node, draw };
}

function saying(devices) {
    if (devices.length > 0) return t`Another kit in this house?`;
    return signIn.isAdult ? t`No kit in this house is known yet.` : t`No kit in this house is known yet. A grown-up can add one.`;
}
