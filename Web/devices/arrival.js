import { copyLine } from "../elements/copy.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { get } from "../house/api.js";
import { live } from "../house/live.js";
import { measured } from "../words/numbers.js";

const POLL = 3000; // milliseconds, only while the live connection is not open

/**
 * A kind of device as it is added: what it is, the command line that poses as one, and what is waited for.
 * @typedef {{lead: string, waits: string, where: string, line: (device: object, mqtt: object) => string,
 *   here: (device: object, since: number) => string?}} Newcomer  `where`: the line is typed; `here`: says that it is
 *   there, null while it is not
 */

/**
 * One that sends readings.
 * @type {Newcomer}
 */
export const SENSOR = {
    lead: "A sensor that logs in over MQTT with an id and a token of its own.",
    waits: "Waiting for its first reading",
    where: "Try it from any computer",
    line: ({ id, token }, { host, port, certificate, isTLS }) => {
        const trust = isTLS ? `${certificate ? " --cafile tandem-authority.pem" : " --tls-use-os-certs"}` : "";
        return `mosquitto_pub -h ${host} -p ${port}${trust} -u ${id} -P ${token} -q 1 -t tandem/${id}/moisture -m 41.5`;
    },
    here: ({ series }, since) => {
        // A device with a new token has older readings, and is silent all the same.
        const first = series.find((one) => one.at >= since);
        return first ? firstReading(first) : null;
    },
};

/**
 * What a new device needs to log in, shown once, and a light that turns green when it is heard.
 * @param {{id: string, token: string, name: string}} device  as the hub just made it
 * @param {{now: number, mqtt: {host: string, port: number, isTLS: boolean,
 *   certificate?: string}}} hub  as asked before the device was made
 * @param {AbortSignal} signal
 * @param {Newcomer} [newcomer]
 */
export function arrival(device, hub, signal, newcomer = SENSOR) {
    const { mqtt } = hub;
    const line = newcomer.line(device, { ...mqtt, host: mqttHost(mqtt.host) });
    const light = make("div", { class: "arrival", role: "status", data: { state: "waiting" } });
    fill(light, icon("radio"), make("span", { class: "words" },
        make("b", { class: "strong" }, newcomer.waits),
        make("span", { class: "fine" }, "This turns green by itself.")));
    const done = (words) => {
        if (light.dataset.state === "here") return;
        light.dataset.state = "here";
        fill(light, icon("check"), make("span", { class: "words" },
            make("b", { class: "strong" }, "It speaks"), make("span", { class: "fine" }, words)));
    };
    const trouble = (words) => { if (light.dataset.state === "waiting") light.querySelector(".fine").textContent = words; };
    listen(device.id, hub.now, newcomer, done, trouble, signal);
    return make("div", { class: "stack", data: { device: device.id } },
        make("p", { class: "small second" },
            "Its token is shown this one time. Copy it now, into the sensor or a safe place."),
        labelled("Id, its user name", copyLine(device.id, "Copy the id")),
        labelled("Token, its password", copyLine(device.token, "Copy the token")),
        mqtt.certificate && make("p", { class: "small" }, "It needs the hub’s certificate: ",
            make("a", { href: mqtt.certificate, download: "tandem-authority.pem" }, "tandem-authority.pem"), "."),
        labelled(newcomer.where, copyLine(line, "Copy the command")),
        light);
}

/**
 * The host as other machines reach it: a hub that listens everywhere, or on loopback, is best named as this page is.
 */
export function mqttHost(host) {
    return ["", "0.0.0.0", "::", "127.0.0.1", "::1"].includes(host ?? "") ? location.hostname : host;
}

function labelled(words, node) {
    return make("div", { class: "field" }, make("span", { class: "label" }, words), node);
}

/** A live reading comes without its unit; moisture’s is known. */
function unitAfter(unit, quantity) {
    if (unit === "%" || (!unit && quantity === "moisture")) return "%";
    return unit ? ` ${unit}` : "";
}

/** @param {{quantity: string, value: number, unit?: string}} reading */
function firstReading({ quantity, value, unit }) {
    return `First reading: ${quantity} ${measured(value)}${unitAfter(unit, quantity)}`;
}

function listen(id, since, newcomer, done, trouble, signal) {
    const look = async () => {
        try {
            const device = await get(`/api/devices/${encodeURIComponent(id)}`, { signal });
            const words = newcomer.here(device, since);
            if (words) done(words);
            else if (device.lastError?.at >= since) trouble(device.lastError.message);
        } catch {
            // Not reached now: the next message or the next look brings it.
        }
    };
    live.addEventListener("reading", ({ detail }) => { if (detail.device === id) done(firstReading(detail)); }, { signal });
    live.addEventListener("device", ({ detail }) => { if (detail.device === id) look(); }, { signal });
    live.addEventListener("reset", look, { signal });
    const timer = setInterval(() => { if (live.state !== "open") look(); }, POLL);
    signal.addEventListener("abort", () => clearInterval(timer));
}
