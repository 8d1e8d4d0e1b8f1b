import { publishLine } from "../devices/device-setup.js";
import { t } from "../language/text.js";

/** A sensor that sends readings. @type {import("../devices/device-setup.js").Newcomer} */
export const SENSOR = {
    title: t`Plant sensor`,
    lead: t`A sensor that signs in over MQTT with its own id and token.`,
    waits: t`Waiting for its first reading`,
    where: t`Try it from any computer`,
    line: (device, mqtt) => publishLine(device, mqtt, "moisture", "41.5"),
};
