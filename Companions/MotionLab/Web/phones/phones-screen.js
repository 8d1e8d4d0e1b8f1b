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
import { problemNotice } from "../../elements/notice.js";
import { rowsSkeleton } from "../../elements/skeleton.js";
import { t } from "../../language/text.js";

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
        t`Add the phone here. You get a token: copy it.`,
        t`In Sensor Logger open Settings, Data Streaming, and switch “Enable HTTP Push” on.`,
        t`Put the address below into “Push URL”, and the token after it.`,
        t`Choose the sensors, and press Start Recording.`,
    ];
    screen.append(top.node, make("div", { class: "content lab-content" },
        section(t`Phones of this household`, list,
            signIn.isAdult ? button(t`Add a phone`, {
                icon: "plus", kind: "primary", press: () => addDevice({ kind: KIND, suggestion: t`Phone`, closed: () => load() }),
            }) : make("p", { class: "small second" }, t`A grown-up can add a phone.`)),
        section(t`How it is set up`, make("ol", { class: "steps" }, steps.map((one) => make("li", {}, one))),
            make("div", { class: "field" }, make("span", { class: "label" }, t`Push URL`),
                copyLine(`${address}?token=`, t`Copy the address`)))));

    async function load() {
        try {
            const all = (await get("/api/devices", { signal })).filter(({ kind }) => kind === KIND);
            fill(list, all.length === 0 ? make("p", { class: "small second" }, t`No phone yet.`)
                : make("ul", { class: "rows" }, all.map((device) => make("li", { class: "row" }, icon("phone"),
                    make("span", { class: "words" }, make("span", { class: "name" }, device.name),
                        make("span", { class: "fine" }, device.lastError?.message ?? (device.lastSeenAt
                            ? age(device.lastSeenAt, { plain: true, words: (ago) => t`heard ${ago}` }) : t`not heard yet`)))))));
        } catch (error) {
            if (!signal.aborted) fill(list, problemNotice(error, { retry: load }));
        }
    }
    live.addEventListener("device", () => load(), { signal });
    await load();
}
