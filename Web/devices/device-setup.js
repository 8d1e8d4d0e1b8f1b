import { copyLine } from "../elements/copy.js";
import { icon } from "../elements/icon.js";
import { fill, make, NODE, withNode } from "../elements/make.js";
import { get } from "../app/api.js";
import { live } from "../app/live.js";
import { measured, withUnit } from "../text/numbers.js";
import { t } from "../language/text.js";

const POLL = 3000; // milliseconds, only while the live connection is not open

/**
 * A kind of device as it is added: what it is, the command line that poses as one, and what is waited for. A companion
 * brings those of its kinds (`newcomers` of its screens.js).
 * @typedef {{title?: string, lead: string, waits: string, where: string, line: (device: object, mqtt: object) => string,
 *   here?: (device: object, since: number) => string?,
 *   more?: (device: {id: string, token: string, name: string}, signal: AbortSignal) => Node}} Newcomer  `title`: what the page
 *   calls it, where that is not what the hub does; `where`: the line is typed; `here`: says that it is there, null while
 *   it is not, otherwise its first reading says it; `more`: what else is said while its token is known
 */

/**
 * One of which nothing else is known.
 * @type {Newcomer}
 */
export const ANY_DEVICE = {
    lead: t`A device that signs in over MQTT with its own ID and token.`,
    waits: t`Waiting to hear from it`,
    where: t`Try it from any computer`,
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
    const trust = isTLS ? `${certificate ? " --cafile tandem-authority.pem" : " --tls-use-os-certs"}` : ""; // not shown: a command
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
        make("span", { class: "fine" }, t`This turns green by itself.`)));
    const done = (words) => {
        if (light.dataset.state === "here") return;
        light.dataset.state = "here";
        fill(light, icon("check"), make("span", { class: "words" },
            make("b", { class: "strong" }, t`It is connected`), make("span", { class: "fine" }, words)));
    };
    const trouble = (words) => { if (light.dataset.state === "waiting") light.querySelector(".fine").textContent = words; };
    listen(device.id, hub.now, newcomer, done, trouble, signal);
    return make("div", { class: "stack", data: { device: device.id } },
        make("p", { class: "small second" },
            t`Its token is shown only this once. Copy it now into the sensor, or to a safe place.`),
        labelled(t`ID, its user name`, copyLine(device.id, t`Copy the ID`)),
        labelled(t`Token, its password`, copyLine(device.token, t`Copy the token`)),
        mqtt.certificate && make("p", { class: "small" }, withNode(t`It needs the hub’s certificate: ${NODE}.`,
            make("a", { href: mqtt.certificate, download: "tandem-authority.pem" }, "tandem-authority.pem"))), // not shown: a name for programs
        newcomer.more?.(device, signal),
        labelled(newcomer.where, copyLine(line, t`Copy the command`)),
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
 * What to say of a device that is there. One with a new token has older readings, and is silent all the same.
 * @param {string?} came  a quantity of which a reading has just come, whatever the device's clock says
 */
function isHere(device, since, newcomer, came) {
    if (newcomer.here) return newcomer.here(device, since);
    const first = device.series.find((one) => one.quantity === came || one.at >= since);
    return first ? t`First reading: ${first.title} ${withUnit(measured(first.value), first.unit)}` : null;
}

function listen(id, since, newcomer, done, trouble, signal) {
    let isHeard = false;
    const look = async (came = null) => {
        if (isHeard) return;
        try {
            const device = await get(`/api/devices/${encodeURIComponent(id)}`, { signal });
            const words = isHere(device, since, newcomer, came);
            isHeard = Boolean(words);
            if (words) done(words);
            else if (device.lastError?.at >= since) trouble(device.lastError.message);
        } catch {
            // Not reached now: the next message or the next look brings it.
        }
    };
    live.addEventListener("reading", ({ detail }) => { if (detail.device === id) look(detail.quantity); }, { signal });
    live.addEventListener("device", ({ detail }) => { if (detail.device === id) look(); }, { signal });
    live.addEventListener("reset", () => look(), { signal });
    const timer = setInterval(() => { if (live.state !== "open") look(); }, POLL);
    signal.addEventListener("abort", () => clearInterval(timer));
}
