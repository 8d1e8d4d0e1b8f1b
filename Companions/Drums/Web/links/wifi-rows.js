import { addAnyDevice } from "../../devices/add-any-device.js";
import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { calmNotice } from "../../elements/notice.js";
import { get, isAborted } from "../../app/api.js";
import { live } from "../../app/live.js";
import { signIn } from "../../app/sign-in.js";
import { t } from "../../language/text.js";
import { LINK } from "../engine-constants.js";
import { hubDeviceOf } from "./hub-device.js";
import { linkRow } from "./link-row.js";
import { KINDS } from "./link-text.js";
import { links } from "./links.js";

/** The hub's names for these kinds of devices, and what each is played by. */
const KITS = {
    "drum-kit": { kind: LINK.wifi, made: async (device) => new (await import("./wifi-kit.js")).WiFiKit(device) },
    "midi-kit": { kind: LINK.bluetoothMIDI, made: async (device) => new (await import("./hub-midi.js")).HubMidi(device) },
};

/**
 * The kits in the house's network and at the hub's radio: each with its state, and the way to add one.
 * @param {{watched: (link: object) => object, last: object?, signal: AbortSignal, leave: (link: object, key: string) => any,
 *   made: Map, more: (link: object, leave: () => void, drawn: () => void) => Array}} options
 */
export function wifiRows({ watched, last, signal, leave, made, more }) {
    const body = make("ul", { class: "rows links" });
    const add = signIn.isAdult && button(t`Add a kit`, {
        kind: "quiet", icon: "plus",
        press: () => addAnyDevice({ companion: "drums", closed: (device) => { if (device) load(); } }),
    });
    const none = make("li", { class: "row link-row", data: { kind: LINK.wifi } });
    const node = make("li", { class: "link-group" }, body);
    let rows = [];
    const draw = () => { for (const row of rows) row.draw(); };

    const rowOf = (device) => {
        const key = `wifi ${device.id}`;
        const { kind, made: makeLink } = KITS[device.kind];
        const own = () => (links.current?.device === device.id ? links.current : made.get(key) ?? null);
        if (own()) watched(own());
        return linkRow({
            kind, name: device.name, link: own,
            wasLast: last?.kind === kind && (hubDeviceOf(last.id) ?? last.id) === device.id,
            what: device.connected ? t`Connected to the hub.` : t`Not connected to the hub right now. Switch it on.`,
            isUsed: () => links.current !== null && links.current === own(),
            connect: async () => {
                if (!own()) made.set(key, watched(await makeLink(device)));
                return own().connect();
            },
            cancel: () => {
                if (links.current === own()) leave(own(), key);
                else own()?.disconnect();
            },
            more: () => more(own(), () => leave(own(), key), draw),
        });
    };
    const load = async () => {
        try {
            const devices = (await get("/api/devices", { signal })).filter(({ kind }) => kind in KITS);
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
