import { publishLine } from "../devices/device-setup.js";
import { t } from "../language/text.js";

/** How a device is added. @type {import("../devices/device-setup.js").Newcomer} */
export const NEWCOMER = {
    lead: t`A device that signs in over MQTT with its own id and token.`,
    waits: t`Waiting for its first level`,
    where: t`Try it from any computer`,
    line: (device, mqtt) => publishLine(device, mqtt, "level", "41.5"),
};
