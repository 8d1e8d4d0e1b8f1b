import { button } from "../../elements/button.js";
import { copyLine } from "../../elements/copy.js";
import { field, textArea } from "../../elements/field.js";
import { form } from "../../elements/form.js";
import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { moreFields } from "../../elements/more-fields.js";
import { problemNotice } from "../../elements/notice.js";
import { confirm, sheet } from "../../elements/sheet.js";
import { toggle } from "../../elements/switch.js";
import { toast } from "../../elements/toast.js";
import { get, post, put, remove } from "../../app/api.js";
import { live } from "../../app/live.js";
import { mqttHost } from "../../devices/device-setup.js";
import { dayAndTimeWithin } from "../../text/dates.js";
import { loaded } from "./loaded.js";
import { t } from "../../language/text.js";

const LOOK = 3000; // milliseconds, while the broker has not answered yet

/** Home Assistant and the broker of the house: who may hear the hub, who of the household appears there, how it stands. */
export function homeAssistantSection({ signal, section }) {
    const trouble = make("div", { "aria-live": "assertive" });
    let timer = 0;
    const part = loaded(() => get("/api/home-assistant", { signal }), (state) => {
        clearTimeout(timer);
        if (state.broker && state.broker.state !== "connected") timer = setTimeout(part.reload, LOOK);
        return draw(state, act);
    }, signal);
    signal.addEventListener("abort", () => clearTimeout(timer));
    const act = async (work) => {
        trouble.replaceChildren();
        // What is drawn is how it was before: nothing else is decided by it meanwhile.
        part.node.inert = true;
        try {
            await work();
        } catch (error) {
            trouble.replaceChildren(problemNotice(error));
        }
        await part.reload();
        part.node.inert = false;
    };
    live.addEventListener("reset", part.reload, { signal });
    return section(t`Home Assistant`, part.node, trouble);
}

function draw({ isOn, isHeard, isByDevice, people, programs, broker }, act) {
    return [
        make("p", { class: "second with-sign" }, icon(isHeard ? "check" : "info", "s"), make("span", {},
            !isOn ? t`Nothing is announced to Home Assistant.`
                : isHeard ? t`What Tandem knows appears in Home Assistant by itself.`
                    : t`Once Home Assistant is let in here, or both use one broker, what Tandem knows appears there by itself.`)),
        make("div", { class: "stack" },
            toggle({
                name: t`Announce to Home Assistant`, hint: t`Only programs that you let in can hear it.`, on: isOn,
                change: (on) => act(() => put("/api/home-assistant", { isOn: on })),
            }).node,
            isOn && people.map((person) => toggle({
                name: t`${person.name} appears there`, hint: t`What they did today and this week`,
                on: person.isAnnounced,
                change: (on) => act(() => put("/api/home-assistant", {
                    people: people.filter(({ id, isAnnounced }) => (id === person.id ? on : isAnnounced)).map(({ id }) => id),
                })),
            }).node)),
        brokerPart(broker, act),
        programs.length > 0 && make("div", { class: "field" }, make("span", { class: "label" }, t`Let in`),
            make("ul", { class: "rows" }, programs.map((program) => programRow(program, act)))),
        make("div", { class: "row-of-buttons" },
            button(t`Let Home Assistant in`, { icon: "key", press: () => act(letIn) }),
            !broker && button(t`Use the broker you have`, { press: () => brokerSheet(null, act) })),
        isOn && make("details", { class: "unfold" },
            make("summary", {}, icon("down", "s"), t`For Home Assistant from 2024.11 on`),
            toggle({
                name: t`Announce each device at once`, hint: t`One message for a device instead of one for each value`,
                on: isByDevice, change: (on) => act(() => put("/api/home-assistant", { isByDevice: on })),
            }).node),
    ];
}

function programRow({ id, name, createdAt }, act) {
    return make("li", { class: "row" }, icon("key"),
        make("span", { class: "words" }, make("span", { class: "name" }, name),
            make("span", { class: "fine" }, t`since ${dayAndTimeWithin(createdAt)}`)),
        button(t`End`, {
            kind: "quiet", press: () => confirm({
                title: t`End ${name}?`, lead: t`It is disconnected within seconds, and needs a new password to come back.`,
                yes: t`End it`, act: () => act(() => remove(/** @type {const} */ (`/api/home-assistant/access/${id}`))),
            }),
        }));
}

/** Makes the name and password for Home Assistant's dialog, and shows them once. */
async function letIn() {
    const hub = await get("/api/hub");
    const made = await post("/api/home-assistant/access");
    const labelled = (words, value, copy) => make("div", { class: "field" },
        make("span", { class: "label" }, words), copyLine(value, copy));
    const opened = sheet(t`Let Home Assistant in`, {
        lead: t`In Home Assistant open Settings, Devices & services, Add integration, and choose MQTT. It asks for this:`,
        body: [make("div", { class: "stack" },
            labelled(t`Broker`, mqttHost(hub.mqtt.host), t`Copy the broker`),
            labelled(t`Port`, String(hub.mqtt.port), t`Copy the port`),
            labelled(t`Username`, made.user, t`Copy the username`),
            labelled(t`Password`, made.password, t`Copy the password`),
            make("p", { class: "small second" }, t`The password is shown only this once.`),
            make("div", { class: "sheet-actions" }, button(t`Done`, { kind: "primary", press: () => opened.close() })))],
    });
}

function brokerPart(broker, act) {
    if (!broker) return null;
    const isWell = broker.state === "connected";
    return make("div", { class: "field" }, make("span", { class: "label" }, t`The broker of the house`),
        make("ul", { class: "rows" }, make("li", { class: "row" }, icon("radio"),
            make("span", { class: "words" }, make("span", { class: "name" }, broker.url),
                make("span", { class: "fine" }, isWell ? t`Connected since ${dayAndTimeWithin(broker.since)}` : broker.words)),
            make("span", { class: "tag", data: { state: isWell ? "ok" : "unknown" } }, icon(isWell ? "check" : "clock"),
                isWell ? t`Connected` : t`Not connected`))),
        make("div", { class: "row-of-buttons" },
            button(t`Change`, { press: () => brokerSheet(broker, act) }),
            button(t`Leave the broker`, {
                kind: "quiet", press: () => confirm({
                    title: t`Leave this broker?`,
                    lead: t`Sensors that are heard there fall silent, and what Tandem announced there is gone.`,
                    yes: t`Leave the broker`, act: () => act(() => remove("/api/home-assistant/broker")),
                }),
            })));
}

/** Asks for the broker's address and who Tandem is there. */
function brokerSheet(broker, act) {
    const url = field({
        label: t`Address`, name: "url", required: true, value: broker?.url ?? "mqtt://homeassistant.local",
        hint: t`mqtt:// in your own network, mqtts:// with TLS`, attributes: { inputmode: "url", spellcheck: "false" },
    });
    const user = field({ label: t`Username`, name: "user", value: broker?.user ?? "" });
    const password = field({
        label: t`Password`, name: "password", type: "password",
        hint: broker?.hasPassword ? t`Leave it empty to keep the one that is there.` : undefined,
    });
    const authority = textArea({ label: t`Its authority’s certificate (PEM), if it has its own`, name: "authority" });
    const fingerprint = field({ label: t`Or its certificate’s fingerprint, SHA-256`, name: "fingerprint" });
    const filters = field({
        label: t`Topics that Tandem may read`, name: "filters", value: (broker?.filters ?? ["#"]).join(" "),
        hint: t`It reads only announcements and the sensors they name. # allows all of them.`,
    });
    const version = toggle({ name: t`MQTT 5`, hint: t`Switch it off for an old broker.`, on: broker?.isVersion5 ?? true, change: () => {} });
    const asked = form({
        fields: [url, user, password, ...moreFields([authority, fingerprint, filters], version.node)],
        word: t`Connect`,
        send: async () => {
            await put("/api/home-assistant/broker", {
                url: url.value.trim(), user: user.value.trim(), password: password.value,
                authority: authority.value.trim(), fingerprint: fingerprint.value.trim(),
                filters: filters.value.split(/\s+/).filter(Boolean), isVersion5: version.input.checked,
            });
            opened.close();
            toast(t`Connecting to the broker`);
            await act(async () => {});
        },
    });
    const opened = sheet(broker ? t`The broker of the house` : t`Use the broker you have`, {
        lead: t`Tandem signs in to the broker that is there, such as the Mosquitto of Home Assistant: sensors that it hears can be yours here, and what Tandem knows appears there.`,
        body: [make("div", { class: "stack" }, asked)],
    });
}
