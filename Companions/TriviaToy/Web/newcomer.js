import { t } from "../language/text.js";

/** How a toy is added. @type {import("../devices/device-setup.js").Newcomer} */
export const TOY = {
    lead: t`A toy signs in over MQTT with its own id and token. One from the computer shows how it goes.`,
    waits: t`Waiting for the toy to say how it is`,
    where: t`Try it from any computer with Tandem on it`,
    // not shown: a command
    line: (device, mqtt) => `tandem simulate toy --hub ${mqtt.host} --device ${device.id} --token ${device.token} --throw-every 20s`,
};
