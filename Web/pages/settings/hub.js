import { copyLine } from "../../elements/copy.js";
import { make } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { readout } from "../../elements/readout.js";
import { get } from "../../app/api.js";
import { live } from "../../app/live.js";
import { mqttHost } from "../../devices/device-setup.js";
import { bytes, counted, number } from "../../text/numbers.js";
import { loaded } from "./loaded.js";

/** The hub: where it is reached, by pages and by devices, and how it is. */
export function hubSection({ signal, section }) {
    const part = loaded(() => get("/api/hub", { signal }), draw);
    live.addEventListener("reset", part.reload, { signal });
    return section("Hub", part.node);
}

function draw(hub) {
    const host = mqttHost(hub.mqtt.host);
    return [
        field("Hub’s address", hub.addresses.length > 0 ? hub.addresses : [location.origin], "Copy the address"),
        field("MQTT, for devices", [`${host}:${hub.mqtt.port}`], "Copy the MQTT address"),
        make("dl", { class: "readouts" },
            readout("MQTT port", hub.mqtt.port, null, counted(hub.mqtt.connections, "connection")),
            readout("Readings", number(hub.readings.stored), null, "stored"),
            readout("Database", bytes(hub.database.bytes), null, "on the hub’s disk"),
            readout("Version", hub.version, null, hub.name)),
        hub.legacyRisks?.map((words) => notice({ icon: "lock", title: "An old protocol is open", words })),
        hub.mqtt.dropped > 0 && make("p", { class: "small second" },
            `${counted(hub.mqtt.dropped, "message")} for slow listeners had to be dropped since the hub started. `
            + "Stored readings are not among them."),
    ];
}

function field(words, lines, copy) {
    return make("div", { class: "field" }, make("span", { class: "label" }, words),
        lines.map((line) => copyLine(line, copy)));
}
