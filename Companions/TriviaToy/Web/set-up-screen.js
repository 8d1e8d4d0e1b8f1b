import { get, isAborted, post } from "../app/api.js";
import { now } from "../app/clock.js";
import { signIn } from "../app/sign-in.js";
import { mqttHost } from "../devices/device-setup.js";
import { button } from "../elements/button.js";
import { copyLine } from "../elements/copy.js";
import { field } from "../elements/field.js";
import { form } from "../elements/form.js";
import { header, section } from "../elements/header.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { notice, problemNotice } from "../elements/notice.js";
import { linesSkeleton } from "../elements/skeleton.js";
import { unseen } from "../elements/unseen.js";
import { clockOf } from "../text/durations.js";
import { t } from "../language/text.js";
import { overview } from "./overview.js";
import { hasSerial, ToyCable } from "./set-up-cable.js";

/** How a toy comes into the Wi-Fi and to this hub: by a cable from here, by a command, or as the first toys did. */
export async function openSetUp({ screen, signal, title }) {
    title(t`Set up a toy`);
    const top = header({
        back: { href: "/toy/toys", word: t`Toys` }, say: t`Set up a toy`,
        lead: t`It learns your Wi-Fi and this hub, and then it signs in by itself.`,
    });
    const content = make("div", { class: "content" }, linesSkeleton(70, 90, 50));
    screen.append(top.node, content);
    if (!signIn.isAdult) return fill(content, unseen(t`A grown-up can set up a toy.`));
    const load = async () => {
        try {
            const { mqtt } = await get("/api/hub", { signal });
            if (signal.aborted) return;
            const host = mqttHost(mqtt.host);
            fill(content, notice({
                icon: "info", state: "unknown", title: t`No firmware to flash yet`,
                words: t`Tandem’s toy is played by a computer until its firmware can be put on a board: tandem simulate toy. The cable and its command are for that day; the simulated toy has such a line, too (--console). A toy of the first kind is set up at the bottom.`,
            }), hasSerial() ? cableSection(host, signal) : noCable(), commandSection(signal), firstSection(signal));
        } catch (error) {
            if (!signal.aborted && !isAborted(error)) fill(content, problemNotice(error, { retry: load }));
        }
    };
    await load();
}

function noCable() {
    return section(t`With a cable`, notice({
        icon: "info", state: "unknown", title: t`This browser cannot speak to a cable`,
        words: t`Chrome and Edge on a computer can, where the page is opened over HTTPS. The command below needs no browser.`,
    }));
}

/** By Improv Wi-Fi, over Web Serial. What was paired once is not paired again when only the password was wrong. */
function cableSection(host, signal) {
    const result = make("div", { role: "status" });
    const name = field({ label: t`What the toy is called`, name: "name", value: t`Owl`, required: true });
    const ssid = field({ label: t`Name of the Wi-Fi`, name: "ssid", required: true });
    const password = field({
        label: t`Password of the Wi-Fi`, name: "password", type: "password", autocomplete: "off",
        hint: t`It goes through the cable into the toy, and is stored nowhere else.`,
    });
    const isHere = ["localhost", "127.0.0.1", "::1", "[::1]"].includes(host);
    const address = field({
        label: t`Address of the hub`, name: "host", value: isHere ? "" : host, required: true,
        hint: t`As the toy reaches it in your Wi-Fi, such as 192.168.1.20.`,
    });
    let cable = null;
    let paired = null;
    signal.addEventListener("abort", () => {
        cable?.close();
        // A toy that was never set up is none.
        if (paired) {
            const { code, device, token } = paired;
            post("/api/toy/pairing/return", { code, device, token }).catch(() => {});
        }
    });
    const says = (words) => fill(result, make("p", { class: "status-line", data: { state: "waiting" } }, icon("radio"),
        make("span", {}, words)));
    const send = async () => {
        fill(result);
        if (!cable || cable.isClosed) cable = await ToyCable.open();
        if (!cable) return;
        try {
            if (!paired) {
                says(t`The hub makes a place for it`);
                const { code } = await post("/api/toy/pairing", { name: name.value.trim() });
                paired = { code, ...await post("/api/toy/pairing/redemption", { code, host: address.value.trim() }) };
            }
            says(t`The toy learns which hub it belongs to`);
            await cable.tellHub({
                host: address.value.trim(), port: paired.mqttPort, device: paired.device, token: paired.token,
            });
            says(t`The toy joins the Wi-Fi. This takes up to half a minute.`);
            await cable.join(ssid.value, password.value);
        } catch (error) {
            fill(result);
            throw error;
        }
        password.input.value = "";
        paired = null;
        await cable.close();
        overview.soon();
        fill(result, notice({
            icon: "check", title: t`It has joined the Wi-Fi`, words: t`Pull out the cable, and throw the toy.`,
            actions: [make("a", { class: "button", href: "/toy/toys" }, t`Look at the toys`)],
        }));
    };
    return section(t`With a cable`,
        make("p", { class: "small second" },
            t`Plug the toy into this computer and switch it on. If something goes wrong, correct it and try again: the toy waits.`),
        form({ fields: [name, ssid, password, address], word: t`Choose the cable and set it up`, icon: "toy", send }),
        result);
}

/** For a computer that has Tandem on it: a code that holds ten minutes, in the command that it belongs to. */
function commandSection(signal) {
    const body = make("div", { class: "stack", "aria-live": "polite" });
    let ticking = null;
    signal.addEventListener("abort", () => clearInterval(ticking));
    const ask = button(t`Get a code`, {
        icon: "key",
        press: async () => {
            clearInterval(ticking);
            try {
                show(await post("/api/toy/pairing", { name: t`Owl` }));
            } catch (error) {
                fill(body, problemNotice(error));
            }
        },
    });
    const show = ({ code, expiresAt }) => {
        const left = make("p", { class: "strong" });
        const tick = () => {
            const seconds = Math.ceil((expiresAt - now()) / 1000);
            if (seconds > 0) {
                left.textContent = t`It holds for another ${clockOf(seconds)} minutes, and once.`;
                return;
            }
            clearInterval(ticking);
            fill(body, make("p", { class: "second" }, t`This code does not hold any more. Get a new one.`));
        };
        // not shown: a command
        const line = `tandem provision --port /dev/ttyUSB0 --ssid "${t`Your Wi-Fi`}" --hub ${location.origin} --code ${code}`;
        fill(body, make("p", { class: "toy-code", "aria-label": t`The code` }, code), left,
            copyLine(line, t`Copy the command`));
        tick();
        ticking = setInterval(tick, 1000);
    };
    return section(t`From a computer with Tandem on it`,
        make("p", { class: "small second" }, t`Plug the toy in there, get a code here, and type the command. It asks for the password.`),
        make("div", { class: "row-of-buttons" }, ask), body);
}

/** The original's own way, which a page cannot go. */
function firstSection(signal) {
    const body = make("div", { class: "stack" });
    const show = (users) => fill(body, users.length === 0
        ? make("p", {}, t`First somebody signs up: the toy is told their number.`, " ",
            make("a", { href: "/toy/original" }, t`The first toy and its app`))
        : users.map(({ id, username }) => make("div", { class: "field" }, make("span", { class: "label" }, username),
            copyLine(
                // not shown: a command
                `tandem provision --legacy-socket --listen 192.168.4.2:8080 --ssid "${t`Your Wi-Fi`}" --user ${id}`,
                t`Copy the command for ${username}`))));
    get("/api/toy/original-users", { signal }).then(({ users }) => show(users), (error) => {
        if (!isAborted(error) && !signal.aborted) fill(body, problemNotice(error));
    });
    return section(t`A toy of the first kind`,
        make("p", { class: "small second" },
            t`It opens a Wi-Fi of its own, named Trivio, and dials whoever is in it; Tandem’s own firmware does so, too, once its middle button was held for three seconds. A page cannot answer such a call, a command on a laptop can: join Trivio with the laptop, and type it there.`),
        notice({
            icon: "warning", title: t`It is done in the open`,
            words: t`Your Wi-Fi’s password goes to it unprotected: whoever is in the network Trivio reads it along, and anybody can open one of this name. Do it where nobody else is near.`,
        }), body);
}
