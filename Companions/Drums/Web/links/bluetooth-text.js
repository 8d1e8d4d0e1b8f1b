import { t } from "../../language/text.js";
import { LinkProblem } from "./link.js";

/**
 * What a person can do about an error of Web Bluetooth. Browsers tell most of them apart by their message only:
 * `NotFoundError` is a dialog that was closed, a radio that is off, and a switch in the browser's settings.
 * @param {unknown} error
 * @param {string} name  of the drums
 * @returns {string}
 */
export function bluetoothText(error, name) {
    if (error instanceof LinkProblem) return error.message;
    const kind = error instanceof Error ? error.name : "";
    const says = error instanceof Error ? error.message : String(error);
    if (kind === "NotFoundError" && /cancel/i.test(says)) {
        return t`Nothing was chosen. Is it not in the browser’s list? Switch it on, hold it near, and see that no other phone is connected to it.`;
    }
    if (kind === "NotFoundError" && /adapter|not available|powered/i.test(says)) {
        return t`Bluetooth is off on this device, or it has none. Switch it on in the device’s settings, then try again.`;
    }
    if (kind === "NotFoundError" && /globally disabled|disabled/i.test(says)) {
        return t`Bluetooth is switched off for pages in this browser. Its settings have a switch: Site settings, Bluetooth devices.`;
    }
    if (kind === "SecurityError" || kind === "NotAllowedError") {
        return t`This browser was told to give this page no Bluetooth. Its site settings have the switch: Bluetooth devices, Allow.`;
    }
    if (kind === "NotFoundError" || kind === "NotSupportedError") {
        return t`${name} is there, but it is not a kit that Tandem knows. Is it the right device?`;
    }
    return t`${name} does not answer. Switch it off and on, hold it near, then try again.`;
}
