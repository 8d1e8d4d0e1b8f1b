import { deviceSetup } from "../devices/device-setup.js";
import { twinNames } from "../devices/twin-names.js";
import { age } from "../elements/age.js";
import { button } from "../elements/button.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { linesSkeleton } from "../elements/skeleton.js";
import { get, isAborted, post } from "../app/api.js";
import { newcomerOf } from "../app/companions.js";
import { plantStore } from "./plant-store.js";
import { t } from "../language/text.js";

const KIND = "plant-sensor"; // the hub's name for this kind of device

/**
 * Which sensors are in the pot: those that the hub knows, or a new one that is added here and now.
 * @param {{id?: string, sensors: Array<{device: string}>}} plant
 * @param {() => string} plantName  what a new sensor is named after
 * @param {AbortSignal} signal
 */
export function sensorChoice(plant, plantName, signal) {
    const chosen = new Set(plant.sensors.map((sensor) => sensor.device));
    const list = make("div", { class: "choices" }, linesSkeleton(90, 60));
    const added = make("div", { class: "stack" });
    const said = make("p", { class: "problem", hidden: true });
    const adding = button(t`Add device`, { icon: "sensor", press: () => add() });
    const node = make("fieldset", { class: "field" }, make("legend", { class: "label" }, t`Sensor`), list, added,
        make("div", { class: "row-of-buttons" }, adding), said);

    let twinOf = twinNames([]);
    const load = async () => {
        try {
            const devices = await get("/api/devices", { signal });
            const sensors = devices.filter((device) => device.kind === "plant-sensor");
            const taken = sensors.filter((device) => !chosen.has(device.id) && home(device));
            twinOf = twinNames(sensors);
            fill(list, sensors.filter((device) => !taken.includes(device)).map(option),
                sensors.length === taken.length && make("p", { class: "small second" },
                    t`No sensor is free. Add one here or do it later.`),
                taken.length > 0 && others(taken));
        } catch (error) {
            if (!isAborted(error)) fill(list, problemNotice(error, { retry: load }));
        }
    };
    const home = (device) => plantStore.data?.plants.find((one) => one.id !== plant.id
        && one.sensors.some((sensor) => sensor.device === device.id));
    const others = (taken) => {
        const turn = button(t`Show ${taken.length} sensors of other plants`, {
            kind: "quiet", icon: "down", press: () => turn.replaceWith(...taken.map(option)),
        });
        return turn;
    };
    const option = (device) => {
        const elsewhere = home(device);
        const input = make("input", {
            type: "checkbox", value: device.id, checked: chosen.has(device.id),
            on: { change: () => (input.checked ? chosen.add(device.id) : chosen.delete(device.id)) },
        });
        return make("label", { class: "choice" }, input, icon("sensor"),
            make("span", { class: "words" },
                make("span", { class: "name" }, device.name),
                twinOf(device.id) && make("span", { class: "fine" }, twinOf(device.id)),
                make("span", { class: "fine" }, elsewhere ? [t`in ${elsewhere.name}`, ", "] : "",
                    !device.lastSeenAt ? t`not heard yet` : [t`heard`, " ", age(device.lastSeenAt, { plain: true })])),
            icon("check"));
    };
    const add = async () => {
        try {
            const name = plantName() ? t`${plantName()} sensor` : t`Plant sensor`;
            // Asked before: a token that is made is shown.
            const [hub, newcomer] = await Promise.all([get("/api/hub"), newcomerOf(KIND)]);
            const made = await post("/api/devices", { kind: KIND, name });
            chosen.add(made.id);
            adding.hidden = true;
            await load();
            fill(added, deviceSetup({ id: made.id, token: made.token, name: made.device.name }, hub, signal, newcomer));
            added.scrollIntoView({ block: "nearest" });
        } catch (error) {
            fill(added, problemNotice(error));
        }
    };
    load();
    return {
        name: "sensors", node, input: adding, get value() { return [...chosen]; },
        problem: (words) => {
            said.hidden = !words;
            said.replaceChildren(...(words ? [icon("warning"), make("span", {}, words)] : []));
        },
    };
}
