import { copyLine } from "../elements/copy.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { get } from "../app/api.js";
import { live } from "../app/live.js";
import { measured } from "../text/numbers.js";

const POLL = 3000; // milliseconds, only while the live connection is not open

/**
 * A kind of device as it is added: what it is, the command line that poses as one, and what is waited for. A companion
 * brings those of its kinds (`newcomers` of its screens.js).
 * @typedef {{lead: string, waits: string, where: string, line: (device: object, mqtt: object) => string,
 *   here?: (device: object, since: number) => string?, units?: Object<string, string>}} Newcomer  `where`: the line is
 *   typed; `here`: says that it is there, null while it is not, otherwise its first reading says it; `units`: of
 *   quantities, where a live reading has none
 */

/**
 * One of which nothing else is known.
 * @type {Newcomer}
 */
export const ANY_DEVICE = {
    lead: "A device that logs in over MQTT with an id and a token of its own.",
    waits: "Waiting to hear from it",
    where: "Try it from any computer",
    line: (device, mqtt) => publishLine(device, mqtt, "value", "1"),
};

/**
 * The command that publishes a value as the device.
 * @param {{id: string, token: string}} device
 * @param {{host: string, port: number, isTLS: boolean, certificate?: string}} mqtt  as {@link deviceSetup} gives it
 * @param {string} tail  the topic below the device's own
 * @param {string} value
 */
export function publishLine({ id, token }, { host, port, certificate, isTLS }, tail, value) {
    const trust = isTLS ? `${certificate ? " --cafile tandem-authority.pem" : " --tls-use-os-certs"}` : "";
    return `mosquitto_pub -h ${host} -p ${port}${trust} -u ${id} -P ${token} -q 1 -t tandem/${id}/${tail} -m ${value}`;
}

/**
 * What a new device needs to log in, shown once, and a light that turns green when it is heard.
 * @param {{id: string, token: string, name: string}} device  as the hub just made it
 * @param {{now: number, mqtt: {host: string, port: number, isTLS: boolean,
 *   certificate?: string}}} hub  as asked before the device was made
 * @param {AbortSignal} signal
 * @param {Newcomer} newcomer
 */
export function deviceSetup(device, hub, signal, newcomer) {
    const { mqtt } = hub;
    const line = newcomer.line(device, { ...mqtt, host: mqttHost(mqtt.host) });
    const light = make("div", { class: "status-line", role: "status", data: { state: "waiting" } });
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

/**
 * @param {{quantity: string, value: number, unit?: string}} reading
 * @param {Newcomer} newcomer
 */
function firstReading({ quantity, value, unit }, { units }) {
    const known = unit ?? units?.[quantity];
    return `First reading: ${quantity} ${measured(value)}${known === "%" ? "%" : known ? ` ${known}` : ""}`;
}

/** A device with a new token has older readings, and is silent all the same. */
function isHere(device, since, newcomer) {
    if (newcomer.here) return newcomer.here(device, since);
    const first = device.series.find((one) => one.at >= since);
    return first ? firstReading(first, newcomer) : null;
}

function listen(id, since, newcomer, done, trouble, signal) {
    const look = async () => {
        try {
            const device = await get(`/api/devices/${encodeURIComponent(id)}`, { signal });
            const words = isHere(device, since, newcomer);
            if (words) done(words);
            else if (device.lastError?.at >= since) trouble(device.lastError.message);
        } catch {
            // Not reached now: the next message or the next look brings it.
        }
    };
    live.addEventListener("reading", ({ detail }) => { if (detail.device === id) done(firstReading(detail, newcomer)); }, { signal });
    live.addEventListener("device", ({ detail }) => { if (detail.device === id) look(); }, { signal });
    live.addEventListener("reset", look, { signal });
    const timer = setInterval(() => { if (live.state !== "open") look(); }, POLL);
    signal.addEventListener("abort", () => clearInterval(timer));
}
