import { copyLine } from "../../elements/copy.js";
import { make } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { readout } from "../../elements/readout.js";
import { get } from "../../app/api.js";
import { live } from "../../app/live.js";
import { mqttHost } from "../../devices/device-setup.js";
import { fullTime } from "../../text/dates.js";
import { bytes, number } from "../../text/numbers.js";
import { loaded } from "./loaded.js";
import { releasesPart } from "./releases.js";
import { t } from "../../language/text.js";

/** The hub: where it is reached, by pages and by devices, and how it is. */
export function hubSection({ signal, section }) {
    const part = loaded(() => get("/api/hub", { signal }), draw, signal);
    live.addEventListener("reset", part.reload, { signal });
    return section(t`Hub`, part.node, releasesPart(signal));
}

function draw(hub) {
    const host = mqttHost(hub.mqtt.host);
    return [
        field(t`Hub’s address`, hub.addresses.length > 0 ? hub.addresses : [location.origin], t`Copy the address`),
        field(t`MQTT, for devices`, [`${host}:${hub.mqtt.port}`], t`Copy the MQTT address`),
        make("dl", { class: "readouts" },
            readout(t`MQTT port`, hub.mqtt.port, null, t`${hub.mqtt.connections} connections`),
            readout(t`Readings`, number(hub.readings.stored), null, t`stored`),
            readout(t`Database`, bytes(hub.database.bytes), null, t`on the hub’s disk`),
            readout(t`Version`, hub.version, null, hub.name)),
        hub.readings.aheadAt && notice({
            icon: "clock", title: t`Readings lie ahead of the clock`,
            words: t`The last is of ${fullTime(hub.readings.aheadAt)}, and the hub’s clock shows ${fullTime(hub.now)}. The clock was wrong when they came, or it is wrong now. They are kept as they came; charts and forecasts leave them out until their day.`,
        }),
        hub.legacyRisks?.map((words) => notice({ icon: "lock", title: t`An old protocol is open`, words })),
    ];
}

function field(words, lines, copy) {
    return make("div", { class: "field" }, make("span", { class: "label" }, words),
        lines.map((line) => copyLine(line, copy)));
}
