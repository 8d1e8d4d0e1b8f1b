import { openDevice } from "../devices/device-sheet.js";
import { twinNames } from "../devices/twin-names.js";
import { button } from "../elements/button.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { notice } from "../elements/notice.js";
import { dayAndTime, spanText } from "../text/dates.js";
import { get } from "../app/api.js";
import { signIn } from "../app/sign-in.js";
import { calibrate } from "./calibration.js";
import { editPlant } from "./plant-form.js";
import { t } from "../language/text.js";

const GAPS_FOR = 3_600_000; // milliseconds for which the last count of gaps is good enough

/**
 * The plant's sensors: battery, gaps of the last month, errors in words; each opens its own sheet.
 * @param {{path: `/api/plants/${string}`, signal: AbortSignal, plant: () => object, changed: () => any}} context
 */
export function sensorSection({ path, signal, plant, changed }) {
    const body = make("div", { class: "stack" });
    const node = make("section", { class: "section", "aria-labelledby": "sensor" },
        make("h2", { id: "sensor" }, t`Sensor`), body);
    let gaps = null;
    let asked = 0;

    const draw = ({ sensors, errors }) => {
        const twinOf = twinNames(sensors.map(({ device: id, name }) => ({ id, name })));
        fill(body,
            sensors.length === 0
                ? [make("p", { class: "second" }, t`There is no sensor in this pot.`),
                    signIn.isAdult && make("div", { class: "row-of-buttons" },
                        button(t`Add a sensor`, { icon: "plus", press: () => editPlant(plant()) }))]
                : make("ul", { class: "rows" }, sensors.map((sensor) => make("li", {}, make("button", {
                    class: "row", type: "button", on: { click: () => openDevice(sensor.device, changed) },
                }, icon(sensor.virtual ? "chip" : "sensor"),
                make("span", { class: "words" },
                    make("span", { class: "name" }, sensor.name),
                    twinOf(sensor.device) && make("span", { class: "fine" }, twinOf(sensor.device)),
                    make("span", { class: "fine" }, about(sensor, sensors.length === 1 ? gaps : null))),
                icon("forward", "s"))))),
            signIn.isAdult && sensors.some(({ virtual }) => !virtual) && make("div", { class: "row-of-buttons" },
                sensors.filter(({ virtual }) => !virtual).map((sensor) =>
                    button(t`Calibrate ${[sensor.name, twinOf(sensor.device)].filter(Boolean).join(", ")}`, { icon: "sensor", press: () => calibrate(sensor, changed) }))),
            errors?.slice(-3).reverse().map((error) => notice({
                icon: "warning", state: "problem", title: error.message,
                words: `${nameOf(error.device, sensors)}, ${dayAndTime(error.at)}`,
            })));
    };
    const count = async () => {
        if (Date.now() - asked < GAPS_FOR) return;
        asked = Date.now();
        try {
            gaps = (await get(`${path}/chart?span=month&quantity=moisture`, { signal })).gaps;
            draw(plant());
        } catch {
            asked = 0; // The chart above says what is wrong; the count comes with the next look.
        }
    };
    const show = (data) => {
        draw(data);
        count();
    };
    return { node, show };
}

function nameOf(device, sensors) {
    return sensors.find((sensor) => sensor.device === device)?.name ?? t`A sensor`;
}

function about(sensor, gaps) {
    const says = [];
    if (sensor.virtual) says.push(t`Virtual, made by the hub.`);
    if (Number.isFinite(sensor.battery)) says.push(t`Battery ${Math.round(sensor.battery)}%.`);
    if (gaps?.length > 0) {
        const longest = Math.max(...gaps.map(([from, to]) => to - from));
        says.push(t`${gaps.length} gaps in 30 days, the longest ${spanText(longest)}.`);
    } else if (gaps) says.push(t`No gaps in 30 days.`);
    return says.join(" ");
}
