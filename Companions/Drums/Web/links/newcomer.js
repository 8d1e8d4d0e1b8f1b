import { t } from "../../language/text.js";

const PLAIN = 1883; // the hub's port for MQTT on its own machine

/** A kit in the network. @type {import("../../devices/device-setup.js").Newcomer} */
export const KIT = {
    lead: t`A kit that joins the network of this house, and signs in over MQTT with its own ID and token.`,
    waits: t`Waiting for the kit to connect`,
    where: t`Without a kit: let the hub’s computer play one`,
    line: ({ id, token }, { port, isTLS }) => // not shown: a command
        `tandem simulate drums --hub mqtt://127.0.0.1:${isTLS ? PLAIN : port} --device ${id} --token ${token}`,
    here: ({ connected }) => (connected ? t`The kit is connected. Choose it, and play.` : null),
};
