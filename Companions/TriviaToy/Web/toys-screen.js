import { get, post, put } from "../app/api.js";
import { messageOf } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { addDevice } from "../devices/add-device.js";
import { age } from "../elements/age.js";
import { button } from "../elements/button.js";
import { header } from "../elements/header.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { notice, problemNotice } from "../elements/notice.js";
import { readout } from "../elements/readout.js";
import { rowsSkeleton, sayingSkeleton } from "../elements/skeleton.js";
import { toast } from "../elements/toast.js";
import { whoRow } from "../elements/who-row.js";
import { number } from "../text/numbers.js";
import { t } from "../language/text.js";
import { overview } from "./overview.js";
import { playSound } from "./speech.js";
import { tabs } from "./tabs.js";

/** The toys: battery, Wi-Fi, when they were heard last, and who plays with each. */
export async function openToys({ screen, signal, title }) {
    title(t`Toys`);
    const top = header({ name: t`Toy`, icon: "toy", below: [tabs("/toy/toys")] });
    fill(top.say, sayingSkeleton(t`toys`));
    const content = make("div", { class: "content" }, rowsSkeleton(2));
    screen.append(top.node, content);
    /** @type {Map<string, boolean>} */
    let connected = new Map();
    const askConnected = async () => {
        try {
            const devices = await get("/api/devices", { signal });
            connected = new Map(devices.map((one) => [one.id, one.connected]));
            if (!signal.aborted && overview.data) draw();
        } catch {
            // Whether they are there right now is not known then, and everything else is.
        }
    };
    const add = () => addDevice({ kind: "toy", suggestion: t`Owl`, closed: () => overview.soon() });
    const draw = () => {
        const { toys } = overview.data;
        top.say.textContent = toys.length === 0 ? t`No toy yet` : overview.data.headline.text;
        fill(content,
            toys.length === 0 && make("p", { class: "second" },
                t`Facts can be heard here without one. A toy is thrown, or shaken, and says the next one. Its firmware cannot be put on a board yet: a computer plays it.`),
            toys.map((toy) => section(toy, connected.get(toy.id))),
            signIn.isAdult && make("div", { class: "row-of-buttons" },
                make("a", { class: "button", data: { kind: toys.length === 0 ? "primary" : undefined }, href: "/toy/set-up" },
                    icon("plus", "s"), t`Set up a toy`),
                button(t`Add one by its ID and token`, { icon: "chip", press: add }),
                make("a", { class: "button", href: "/toy/original" }, icon("key", "s"), t`The first toy and its app`)));
        for (const toy of toys) showSpeech(toy);
    };
    let sound = null;
    signal.addEventListener("abort", () => sound?.stop());
    /** What a toy on a computer said last, or the message in its place: it has no loudspeaker, so it is heard here. */
    const showSpeech = async (toy) => {
        const { speech } = await get(`/api/toy/toys/${toy.id}/speech`, { signal }).catch(() => ({ speech: undefined }));
        const place = content.querySelector(`[aria-labelledby="toy-${toy.id}"] .toy-speech`);
        if (!speech || !place || signal.aborted) return;
        fill(place, notice({
            icon: "voice", title: speech.message ? t`${toy.name} brings a message` : t`${toy.name} said`,
            words: make("span", {}, speech.message ? t`Somebody recorded it. It comes again until it was heard to its end.` : t`“${speech.words}”`,
                speech.missing && make("span", { class: "fine" }, " ", speech.missing)),
            actions: speech.hasSound && [button(t`Listen to it`, {
                icon: "sound",
                press: () => {
                    sound?.stop();
                    sound = playSound(`/api/toy/speech/${speech.id}`);
                    sound.ended.then((ending) => heard(speech, ending));
                },
            })],
        }));
    };
    const heard = async ({ message }, ending) => {
        if (ending === "unable") return toast(t`This recording cannot be played right now.`, { icon: "warning" });
        if (ending !== "finished" || !message) return;
        try {
            await post(/** @type {any} */ (`/api/toy/messages/${message}/heard`));
        } catch (error) {
            if (!signal.aborted) toast(messageOf(error), { icon: "warning" });
        }
    };
    await overview.follow(signal, {
        draw: () => {
            draw();
            askConnected();
        },
        missing: (error, retry) => {
            top.say.textContent = t`The toys cannot be shown right now`;
            fill(content, problemNotice(error, { retry }));
        },
    });
}

function section(toy, isConnected) {
    const id = `toy-${toy.id}`;
    const people = overview.data.people;
    return make("section", { class: "section", "aria-labelledby": id },
        make("div", { class: "section-head" }, make("h2", { id }, toy.name),
            toy.lastSeen ? age(toy.lastSeen, { words: (ago) => t`heard ${ago}` })
                : make("span", { class: "fine" }, t`not heard yet`)),
        toy.twin && notice({ icon: "warning", state: "problem", title: t`Look at this`, words: toy.twin }),
        make("div", { class: "toy-speech", "aria-live": "polite" }),
        toy.faults.map((words) => notice({ icon: "warning", state: "problem", title: t`Something does not work`, words })),
        make("dl", { class: "readouts" },
            readout(t`Battery`, toy.battery ? number(toy.battery.percent) : "–", toy.battery && "%",
                !toy.battery ? t`not known yet` : toy.battery.isLow ? t`wants charging` : t`good for a while`),
            readout(t`Wi-Fi`, isConnected === undefined ? "–" : isConnected ? t`here` : t`away`, null,
                isConnected === false ? t`it keeps speaking, and reports later` : t`talks with the hub`),
            readout(t`In the toy`, toy.stored === undefined ? "–" : number(toy.stored), null,
                toy.unheard === undefined ? t`facts` : t`${toy.unheard} facts not heard yet`)),
        signIn.isAdult && people.length > 0 && make("div", { class: "stack" },
            make("h3", {}, t`Who plays with it`),
            make("div", { class: "settings-who" }, whoRow(t`Who plays with ${toy.name}`, people, toy.person ?? "", async (person) => {
                try {
                    await put(`/api/toy/toys/${toy.id}`, { person });
                    const name = people.find((one) => one.id === person)?.name ?? "";
                    toast(t`From now on it is ${name} who plays with ${toy.name}.`, { icon: "check" });
                } catch (error) {
                    toast(messageOf(error), { icon: "warning" });
                }
                overview.soon();
            })),
            make("p", { class: "small second" },
                t`Their house rules hold for it, and what it says stands in their history.`)),
        make("p", {}, make("a", { class: "link", data: { block: "" }, href: "/settings" }, icon("settings", "s"), t`Name, token and removal are in the settings`)));
}
