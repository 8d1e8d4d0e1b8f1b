import { get, post, remove } from "../../app/api.js";
import { button } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { section } from "../../elements/header.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { sheet } from "../../elements/sheet.js";
import { t } from "../../language/text.js";
import { number } from "../../text/numbers.js";
import { inOneLine, sensorName } from "../recordings/recording-text.js";

const LOOK = 1000; // milliseconds between two looks at how it goes, while the hub reads a phone

/**
 * phyphox on a phone in the house: the hub reads the experiment that is open there. An adult enters the address, sees what
 * it measures, and starts, stops and clears it from here.
 * @param {AbortSignal} signal  of the screen
 * @param {() => Promise<Array<{id: string, name: string}>>} phones  those that there are
 */
export function phyphoxSection(signal, phones) {
    const list = make("div", { "aria-live": "polite" });
    const trouble = make("div", { "aria-live": "assertive" });
    const nodes = new Map();
    let timer = null;
    const load = async () => {
        clearTimeout(timer);
        try {
            const [{ phones: all }, known] = await Promise.all([get("/api/lab/phyphox", { signal }), phones()]);
            if (signal.aborted) return;
            draw(all, known);
            if (all.some(({ isConnected }) => isConnected)) timer = setTimeout(load, LOOK);
        } catch (error) {
            if (!signal.aborted && error.unreachable) timer = setTimeout(load, 5 * LOOK); // the strip says so
            else if (!signal.aborted) fill(trouble, problemNotice(error, { retry: load }));
        }
    };
    signal.addEventListener("abort", () => clearTimeout(timer));
    const told = async (work) => {
        fill(trouble);
        try {
            await work();
        } catch (error) {
            fill(trouble, problemNotice(error));
        }
        await load();
    };
    function draw(all, known) {
        for (const [device, { node }] of nodes) {
            if (all.some((one) => one.device === device)) continue;
            node.remove();
            nodes.delete(device);
        }
        for (const one of all) {
            if (!nodes.has(one.device)) {
                nodes.set(one.device, reader(one, known.find(({ id }) => id === one.device)?.name ?? t`Phone`));
                list.append(nodes.get(one.device).node);
            }
            nodes.get(one.device).show(one);
        }
    }
    function reader({ device, address }, name) {
        const path = /** @type {const} */ (`/api/lab/phyphox/${encodeURIComponent(device)}`);
        const status = make("div", { class: "status-line" });
        const tell = (command) => () => told(() => post(`${path}/${command}`));
        const start = button(t`Start`, { icon: "play", press: tell("start") });
        const stop = button(t`Stop`, { icon: "stop", press: tell("stop") });
        const node = make("div", { class: "stack phyphox-reader" }, make("h3", { class: "strong" }, name), status,
            make("div", { class: "row-of-buttons" }, start, stop, button(t`Clear`, { kind: "quiet", icon: "trash", press: tell("clear") }),
                button(t`Read it no longer`, { kind: "quiet", press: () => told(() => remove(path)) })),
            make("p", { class: "row-of-buttons" }, make("a", { class: "link", data: { block: "" }, href: "/lab/recordings" }, t`Show the recordings`)));
        return {
            node,
            show({ title, sensors, isConnected, isMeasuring, samples, trouble: wrong }) {
                status.dataset.state = wrong ? "problem" : isMeasuring ? "here" : "waiting";
                fill(status, icon(wrong ? "warning" : isMeasuring ? "record" : "radio"), make("span", { class: "words" },
                    make("b", { class: "strong" }, wrong ? t`phyphox does not answer` : !isConnected ? t`It is read no longer`
                        : isMeasuring ? t`It is measuring, and this is recorded` : t`phyphox is there, and does not measure now`),
                    make("span", { class: "fine" }, wrong ?? `${title} · ${inOneLine(sensors.map(sensorName))}`),
                    make("span", { class: "fine" }, t`${samples} samples`, ` · ${address}`)));
                start.hidden = isMeasuring;
                stop.hidden = !isMeasuring;
            },
        };
    }
    load();
    return section(t`phyphox`, make("p", { class: "small second" },
        t`phyphox is a free app for physics. Open an experiment in it, choose “Allow remote access” in its menu, and it shows an address. The hub reads along from there, in your own network.`),
    list, trouble, make("p", { class: "row-of-buttons" }, button(t`Read phyphox on a phone`, { icon: "plus", press: () => connectSheet(phones, load) })));
}

/** The address first; then what is open there, and what of it is recorded for which phone. */
function connectSheet(phones, connected) {
    const address = field({
        label: t`Address that phyphox shows`, name: "address", required: true, hint: t`For example 192.168.1.23:8080`,
        attributes: { autocapitalize: "none", spellcheck: "false", inputmode: "url", autofocus: true, placeholder: "192.168.1.23:8080" }, // not shown: an address
    });
    const body = make("div", { class: "stack" });
    const opened = sheet(t`Read phyphox on a phone`, { body: [body] });
    fill(body, form({
        fields: [address], word: t`See what is there`, icon: "search",
        send: async () => {
            const found = await post("/api/lab/phyphox/look", { address: address.value.trim() });
            const known = await phones();
            choose(found, known);
        },
    }));
    function choose(found, known) {
        const chosen = new Set(found.sensors.map(({ sensor }) => sensor));
        const said = make("p", { class: "problem", role: "alert", hidden: true });
        const sensors = {
            name: "sensors",
            node: make("fieldset", { class: "field" }, make("legend", { class: "label" }, t`What of it is recorded`),
                found.sensors.map(({ sensor, buffers }) => make("label", { class: "phyphox-sensor" },
                    make("input", {
                        type: "checkbox", class: "pick", checked: true,
                        on: { change: ({ target }) => (target.checked ? chosen.add(sensor) : chosen.delete(sensor)) },
                    }),
                    make("span", { class: "words" }, make("span", { class: "name" }, sensorName(sensor)),
                        make("span", { class: "fine" }, t`Buffers: ${buffers.join(", ")}`)))), said),
            problem: (words) => {
                said.hidden = !words;
                fill(said, words && [icon("warning"), make("span", {}, words)]);
            },
        };
        const select = make("select", { class: "input", id: "phyphox-phone", name: "device" },
            known.map(({ id, name }) => make("option", { value: id }, name)), make("option", { value: "" }, t`Another phone`));
        const device = {
            name: "device", input: select, problem: () => {},
            node: make("div", { class: "field" }, make("label", { for: "phyphox-phone" }, t`Which phone is it?`), select),
        };
        const connect = async (starts) => {
            const id = select.value || (await post("/api/devices", { kind: "phone", name: t`Phone with phyphox` })).id;
            await post("/api/lab/phyphox", { device: id, address: found.address, sensors: [...chosen], starts });
            opened.close();
            await connected();
        };
        fill(body, make("div", { class: "status-line", data: { state: "here" } }, icon("check"), make("span", { class: "words" },
            make("b", { class: "strong" }, found.title || t`An experiment without a name`),
            make("span", { class: "fine" }, found.isMeasuring ? t`phyphox measures now.` : t`phyphox is there, and does not measure now.`))),
        found.unknown.length > 0 && make("p", { class: "small second" }, t`The lab does not know: ${found.unknown.join(", ")}`),
        form({ fields: [sensors, device], word: t`Start and record`, icon: "record", send: () => connect(true) }),
        make("p", { class: "row-of-buttons" }, button(t`Only connect`, { kind: "quiet", press: () => connect(false).catch((error) => sensors.problem(error.message)) })));
        body.querySelector("h2, legend, .pick")?.focus();
    }
}
