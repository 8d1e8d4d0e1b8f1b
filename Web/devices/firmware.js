import { button } from "../elements/button.js";
import { form } from "../elements/form.js";
import { make } from "../elements/make.js";
import { notice } from "../elements/notice.js";
import { sheet } from "../elements/sheet.js";
import { toast } from "../elements/toast.js";
import { fileField, upload } from "../elements/upload.js";
import { put, remove } from "../app/api.js";
import { messageOf, Problem } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { number } from "../text/numbers.js";
import { t } from "../language/text.js";

const MOST = 122_944; // bytes of an image: a header, and what any board holds

/**
 * What there is to say of a device's firmware, below its name: a newer version with the way to it, how far an update is, or how
 * it ended; null where all is as it should be.
 * @param {Firmware.BoardResponse} board
 * @param {() => any} changed
 */
export function firmwareNotice(board, changed) {
    const path = /** @type {const} */ (`/api/firmware/devices/${encodeURIComponent(board.id)}/update`);
    if (board.update) return underWay(board.update, signIn.isAdult && button(t`Do not update`, { press: tried(async () => {
        await remove(path);
        changed();
    }) }));
    const failed = board.outcome && board.outcome.result !== "updated" ? failure(board) : null;
    const { newest } = board;
    const update = newest && signIn.isAdult && button(failed ? t`Try ${newest.version} again` : t`Update`, {
        icon: "download", kind: failed ? undefined : "primary", press: tried(async () => {
            await put(path, { image: newest.id });
            changed();
        }),
    });
    if (failed) return notice({ icon: "warning", state: "problem", ...failed, actions: update ? [update] : undefined });
    if (!newest) return null;
    if (!board.hasKey) {
        return notice({
            icon: "key", title: t`New version ${newest.version}`,
            words: t`This device takes no firmware over the air, since it does not know the hub’s key. Write it by cable: tandem flash.`,
        });
    }
    return notice({ icon: "chip", title: t`New version ${newest.version}`, actions: update ? [update] : undefined });
}

/** Says in words what went wrong, where it does. */
function tried(act) {
    return async () => {
        try {
            await act();
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    };
}

function underWay({ version, delivered, total }, stop) {
    const share = total > 0 ? delivered / total : 0;
    const said = notice({
        icon: delivered > 0 ? "download" : "clock",
        title: delivered > 0 ? t`Version ${version} is on its way: ${number(share * 100)}%` : t`Version ${version} waits for the device`,
        words: make("span", {},
            delivered > 0 && make("progress", { class: "upload-bar", max: 1, value: share, "aria-label": t`Sent to the device` }),
            t`The device takes it when it reports next, and goes on measuring meanwhile.`),
        actions: stop ? [stop] : undefined,
    });
    said.setAttribute("role", "status");
    return said;
}

/** @param {Firmware.BoardResponse} board */
function failure({ version, outcome }) {
    const back = (why) => ({ title: t`It went back to ${version}`, words: why });
    const kept = (why) => ({ title: t`It did not take ${outcome.version}`, words: why });
    switch (outcome.reason) {
        case "notSignedIn": return back(t`It could not sign in with the new version.`);
        case "stoodStill": return back(t`It stood still with the new version.`);
        case "power": return back(t`It lost its power before it had signed in with the new version.`);
        case "fault": return back(t`It stopped with a fault in the new version.`);
        case "noKey": return kept(t`It does not know the hub’s key. Write it by cable: tandem flash.`);
        case "signature": return kept(t`It knows another hub’s key. Write it by cable: tandem flash.`);
        case "other": return kept(t`It is for another device.`);
        case "older": return kept(t`It is older than what it runs.`);
        default: return kept(t`It came damaged, or could not be stored.`);
    }
}

/** Takes the file of an image. */
export function addFirmware(changed) {
    const file = fileField({
        label: t`File`, accept: ".image,application/octet-stream", most: MOST,
        hint: t`A file such as PlantSensor-MPS2AN386.image, which make firmware makes.`,
    });
    const opened = sheet(t`Add firmware`, {
        lead: t`Devices that it is for are offered it here. The hub signs it.`,
        body: [form({
            word: t`Add`, fields: [file],
            send: async () => {
                if (file.trouble) throw new Problem(422, { detail: file.trouble, field: "file" });
                try {
                    const added = await upload("/api/firmware/images", file.value, { key: file.key, signal: opened.signal, came: file.came });
                    toast(t`Version ${added.version} was added.`);
                    opened.close();
                    changed();
                } finally {
                    file.came(null);
                }
            },
        })],
    });
}
