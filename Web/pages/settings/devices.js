import { addAnyDevice } from "../../devices/add-any-device.js";
import { addFirmware, firmwareNotice } from "../../devices/firmware.js";
import { openDevice } from "../../devices/device-sheet.js";
import { twinNames } from "../../devices/twin-names.js";
import { age } from "../../elements/age.js";
import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { get } from "../../app/api.js";
import { companions } from "../../app/companions.js";
import { live } from "../../app/live.js";
import { signIn } from "../../app/sign-in.js";
import { loaded } from "./loaded.js";
import { t } from "../../language/text.js";

/** The devices: each with its age and its errors, and the way to add one. */
export function devicesSection({ signal }) {
    const part = loaded(() => Promise.all([get("/api/devices", { signal }), iconsOfKinds(signal), get("/api/firmware", { signal })]), ([devices, icons, firmware]) => (devices.length === 0
        ? make("p", { class: "second" }, signIn.isAdult
            ? t`No device yet. Add one, and give its id and token to a sensor.` : t`No device yet.`)
        : listed(devices, icons, firmware, part.reload)), signal);
    for (const type of /** @type {const} */ (["device", "reset"])) live.addEventListener(type, part.reload, { signal });
    return make("section", { class: "section", "aria-labelledby": "s-devices" },
        make("div", { class: "section-head" }, make("h2", { id: "s-devices" }, t`Devices`),
            signIn.isAdult && button(t`Add device`, { kind: "quiet", icon: "plus", press: () => addAnyDevice({ closed: part.reload }) })),
        part.node);
}

/** The icon of each kind of device: that of its companion, as where one is added. */
async function iconsOfKinds(signal) {
    const icons = new Map(companions().map(({ slug, icon: symbol }) => [slug, symbol]));
    const kinds = await get("/api/device-kinds", { signal });
    return new Map(kinds.map(({ kind, companion }) => [kind, icons.get(companion)]));
}

function listed(devices, icons, firmware, changed) {
    const twinOf = twinNames(devices);
    const boards = new Map(firmware.devices.map((board) => [board.id, board]));
    return make("div", { class: "stack" },
        make("ul", { class: "rows" }, devices.map((device) =>
            row(device, twinOf(device.id), icons.get(device.kind) ?? "sensor", boards.get(device.id), changed))),
        // Who has a board that is updated over the air brings its images.
        signIn.isAdult && boards.size > 0 && make("div", { class: "row-of-buttons" },
            button(t`Add firmware`, { kind: "quiet", icon: "chip", press: () => addFirmware(changed) })));
}

/**
 * @param {string?} twin  what tells it from another of its name
 * @param {Firmware.BoardResponse|undefined} board  where it has firmware that says its version
 */
function row(device, twin, symbol, board, changed) {
    const state = device.errorCount > 0
        ? make("span", { class: "tag", data: { state: "now" } }, icon("warning"), t`${device.errorCount} refused`)
        : device.virtual ? make("span", { class: "tag" }, icon("chip"), t`Virtual`)
            : !device.lastSeenAt && make("span", { class: "tag", data: { state: "unknown" } }, icon("clock"),
                t`No reading yet`);
    const open = () => openDevice(device.id, changed);
    return make("li", {}, make("button", { class: "row", type: "button", on: { click: open } },
        icon(symbol),
        make("span", { class: "words" },
            make("span", { class: "name" }, device.name),
            twin && make("span", { class: "fine" }, twin),
            board && make("span", { class: "fine" }, t`Version ${board.version}`),
            device.lastSeenAt && make("span", { class: "fine" },
                age(device.lastSeenAt, { plain: true, words: (ago) => t`heard ${ago}` }))),
        state, icon("forward", "s")),
    board && firmwareNotice(board, changed));
}
