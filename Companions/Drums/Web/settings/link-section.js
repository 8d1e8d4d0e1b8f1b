import { age } from "../../elements/age.js";
import { button } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { section } from "../../elements/header.js";
import { t } from "../../language/text.js";
import { deviceText } from "../../text/agent.js";
import { linkWord } from "../session-page/session-text.js";
import { links } from "../links/links.js";
import { linkLine } from "../songs/link-line.js";

/**
 * With which drums this device plays, and how long each link takes, as it was tapped.
 * @param {import("./settings-screen.js").PathOf} path
 */
export function linkSection(path, signal) {
    const line = linkLine(signal);
    const list = make("ul", { class: "rows" });
    const calibrate = button(t`Measure the delay`, {
        icon: "clock",
        press: async () => (await import("../links/calibration.js")).openCalibration(links.current, {}),
    });
    const node = section(t`Connection`, line.node,
        make("p", { class: "small second" },
            t`Drums of the original kit join by Bluetooth, others by Wi-Fi or as MIDI kits. The screen and the keyboard are always there.`),
        list, make("div", { class: "row-of-buttons" }, calibrate));
    node.id = "links";
    const show = ({ settings }) => {
        const measured = settings.latency ?? [];
        list.hidden = measured.length === 0;
        fill(list, measured.map((one) => make("li", { class: "row" }, icon("clock"),
            make("span", { class: "words" }, make("span", { class: "name" }, linkWord(one.link)),
                make("span", { class: "fine" }, one.isHere ? t`This device. ${one.words}` : one.agent
                    ? `${deviceText(one.agent).words}. ${one.words}` : one.words)), age(one.at))));
    };
    return { node, show };
}
