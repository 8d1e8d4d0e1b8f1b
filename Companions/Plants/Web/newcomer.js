import { publishLine } from "../devices/device-setup.js";

/** A sensor that sends readings. @type {import("../devices/device-setup.js").Newcomer} */
export const SENSOR = {
    lead: "A sensor that logs in over MQTT with an id and a token of its own.",
    waits: "Waiting for its first reading",
    where: "Try it from any computer",
    line: (device, mqtt) => publishLine(device, mqtt, "moisture", "41.5"),
    units: { moisture: "%" },
};
