import { get } from "../../app/api.js";
import { live } from "../../app/live.js";
import { signIn } from "../../app/sign-in.js";
import { addDevice } from "../../devices/add-device.js";
import { age } from "../../elements/age.js";
import { button } from "../../elements/button.js";
import { copyLine } from "../../elements/copy.js";
import { header, section } from "../../elements/header.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { calmNotice } from "../../elements/notice.js";
import { rowsSkeleton } from "../../elements/skeleton.js";
import { t } from "../../language/text.js";
import { sensorName } from "../recordings/recording-text.js";
import { phyphoxSection } from "./phyphox-section.js";

const KIND = "phone";

/** Phones with an app that sends what it measures, and how one is added. */
export async function openPhones({ screen, signal, title }) {
    title(t`Phones`);
    const top = header({
        back: { href: "/lab", word: t`Lab` }, say: t`A phone’s app can send by itself`,
        lead: t`With Sensor Logger a phone sends what it measures, also its barometer, and also with the screen off.`,
    });
    const list = make("div", {}, rowsSkeleton(1));
    const address = `${location.origin}/api/lab/sensor-logger`;
    const steps = [
        t`Install Sensor Logger from the phone’s app shop.`,
        t`Add the phone here. You get an address with a token in it, also as a QR code: copy it.`,
        t`In Sensor Logger open Settings, Data Streaming, and switch “Enable HTTP Push” on.`,
        t`Put the address into “Push URL”.`,
        t`Choose the sensors, and press Start Recording.`,
    ];
    const phones = async () => (await get("/api/lab/phones", { signal })).phones;
    screen.append(top.node, make("div", { class: "content lab-content" },
        section(t`Phones of this household`, list,
            signIn.isAdult ? button(t`Add a phone`, {
                icon: "plus", kind: "primary", press: () => addDevice({ kind: KIND, suggestion: t`Phone`, closed: () => load() }),
            }) : make("p", { class: "small second" }, t`A grown-up can add a phone.`)),
        section(t`How Sensor Logger is set up`, make("ol", { class: "steps" }, steps.map((one) => make("li", {}, one))),
            make("div", { class: "field" }, make("span", { class: "label" }, t`Push URL, where the token stands in a header`),
                copyLine(address, t`Copy the address`),
                make("span", { class: "hint" }, t`Header: Authorization: Bearer, then the token.`)),
            make("p", { class: "small second" }, t`Does the app say that something was not stored? Its sentence stands beside the phone above as well, and says what to do.`)),
        signIn.isAdult && phyphoxSection(signal, phones),
        signIn.isAdult && section(t`Without a phone`, make("p", { class: "small second" },
            t`Add a phone, and let the hub’s computer play it: you get the command with its token. It rides in a lift, four floors up and down again.`))));

    async function load() {
        try {
            const all = await phones();
            fill(list, all.length === 0 ? make("p", { class: "small second" }, t`No phone yet.`)
                : make("ul", { class: "rows" }, all.map(row)));
        } catch (error) {
            if (!signal.aborted) fill(list, calmNotice(error, { retry: load }));
        }
    }
    live.addEventListener("device", () => load(), { signal });
    live.addEventListener("changed", ({ detail }) => { if (detail.companion === "lab" && detail.what === "recording") load(); }, { signal });
    const timer = setInterval(() => { if (!document.hidden) load(); }, 10_000);
    signal.addEventListener("abort", () => clearInterval(timer));
    await load();
}

/** @param {Contract.Answer<"GET", "/api/lab/phones">["phones"][number]} phone */
function row({ name, isSending, heardAt, recording, sensors, refusal }) {
    const measures = sensors.length > 0 ? sensors.map(sensorName).join(", ") : null;
    const words = make("span", { class: "words" }, make("span", { class: "name" }, name),
        make("span", { class: "fine" }, isSending ? t`It is sending now`
            : heardAt ? age(heardAt, { plain: true, words: (ago) => t`heard ${ago}` }) : t`not heard yet`),
        measures && make("span", { class: "fine" }, measures),
        refusal && make("span", { class: "phone-refusal small" }, icon("warning", "s"), make("span", {}, refusal.text)));
    return make("li", {}, recording ? make("a", { class: "row", href: `/lab/recordings/${encodeURIComponent(recording)}` }, icon("phone"), words, icon("forward", "s"))
        : make("div", { class: "row" }, icon("phone"), words));
}
