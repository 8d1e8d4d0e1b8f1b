import { publishLine } from "../../devices/device-setup.js";
import { t } from "../../language/text.js";

/** A phone with an app that sends by itself. @type {import("../../devices/device-setup.js").Newcomer} */
export const PHONE = {
    lead: t`A phone with the app Sensor Logger, which sends what it measures by itself, also with the screen off.`,
    waits: t`Waiting for the phone’s first samples`,
    where: t`Without a phone: try it from any computer`,
    line: (device, mqtt) => publishLine(device, mqtt, "sensor-logger", // not shown: a command
        `'{"messageId":0,"sessionId":"try","deviceId":"try","payload":[]}'`),
    here: ({ connected, lastSeenAt }, since) => (connected || lastSeenAt >= since ? t`The phone is sending.` : null),
};
