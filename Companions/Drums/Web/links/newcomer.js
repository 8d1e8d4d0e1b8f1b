import { t } from "../../language/text.js";

const PLAIN = 1883; // the hub's port for MQTT on its own machine

/** A kit in the network. @type {import("../../devices/device-setup.js").Newcomer} */
export const KIT = {
    lead: t`A kit that joins the house’s network, and logs in over MQTT with an id and a token of its own.`,
    waits: t`Waiting for the kit to connect`,
    where: t`Without a kit: one that the hub’s own machine plays`,
    line: ({ id, token }, { port, isTLS }) =>
        t`tandem simulate drums --hub mqtt://127.0.0.1:${isTLS ? PLAIN : port} --device ${id} --token ${token}`,
    here: ({ connected }) => (connected ? t`The kit is connected. Choose it, and play.` : null),
};
