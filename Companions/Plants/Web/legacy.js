import { twinNames } from "../devices/twin-names.js";
import { button } from "../elements/button.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { confirm } from "../elements/sheet.js";
import { toast } from "../elements/toast.js";
import { get, isAborted, post, put, remove } from "../app/api.js";
import { live } from "../app/live.js";
import { signIn } from "../app/sign-in.js";
import { messageOf } from "../app/problem.js";
import { plantStore } from "./plant-store.js";
import { t } from "../language/text.js";

/**
 * The gardens of the old app, where the hub lets it in (`--legacy plants`): who adopted which, and which device of
 * the house answers for an old sensor number. Without the old protocol there is nothing to show, and nothing is.
 */
export function legacySection({ signal }) {
    const body = make("div", { class: "stack" });
    const node = make("section", { class: "section", "aria-labelledby": "s-legacy", hidden: true },
        make("h2", { id: "s-legacy" }, t`Gardens from the old app`), body);
    let isMissing = false;
    const load = async () => {
        try {
            const legacy = await get("/api/plants/legacy", { signal });
            isMissing = false;
            if (!legacy.enabled) return;
            const devices = (await get("/api/devices", { signal })).filter((device) => device.kind === "plant-sensor");
            node.hidden = false;
            fill(body,
                legacy.clients.length === 0
                    ? make("p", { class: "second" }, t`The old app has not connected yet.`)
                    : legacy.clients.map((client) => clientPart(client, devices, load)));
        } catch (error) {
            if (isAborted(error)) return;
            isMissing = true;
            if (error?.unreachable) return;
            node.hidden = false;
            fill(body, problemNotice(error, { retry: load }));
        }
    };
    live.addEventListener("state", ({ detail }) => { if (detail.state === "open" && isMissing) load(); }, { signal });
    load();
    return node;
}

function clientPart(client, devices, reload) {
    const path = /** @type {const} */ (`/api/plants/legacy/${encodeURIComponent(client.client)}`);
    const adopt = async () => {
        try {
            await post(`${path}/adopt`);
            plantStore.soon();
            toast(t`The garden of ${client.client} is yours now.`, { icon: "plants" });
            await reload();
        } catch (error) {
            toast(messageOf(error), { icon: "warning" });
        }
    };
    const plants = client.plants.length;
    const forget = () => confirm({
        title: t`Forget ${client.client}?`, yes: t`Forget`, no: t`Keep it`,
        lead: client.adoptedBy ? t`The adopted plants stay. The old app can come back whenever somebody opens it.`
            : plants === 0 ? t`The old app can come back whenever somebody opens it.`
            : plants === 1 ? t`Its plant goes with it, because nobody has adopted it. This cannot be undone.`
            : t`Its ${plants} plants go with it, because nobody has adopted them. This cannot be undone.`,
        act: async () => {
            await remove(path);
            plantStore.soon();
            toast(t`${client.client} was forgotten.`);
            await reload();
        },
    });
    return make("div", { class: "legacy-client" },
        make("div", { class: "row" }, icon("phone"),
            make("span", { class: "words" },
                make("span", { class: "name" }, client.client),
                make("span", { class: "fine" }, client.plants.length === 0 ? t`no plants`
                    : t`${client.plants.length} plants: ${client.plants.map((plant) => plant.name).join(", ")}`)),
            client.adoptedBy ? make("span", { class: "tag" }, icon("check"), t`Adopted by ${client.adoptedBy}`)
                : signIn.isAdult && button(t`Adopt`, { press: adopt }),
            signIn.isAdult && button(t`Forget`, { kind: "quiet", press: forget })),
        signIn.isAdult && client.sensors.map((sensor) => sensorRow(path, sensor, devices)));
}

/**
 * @param {`/api/plants/legacy/${string}`} path
 * @param {Plants.LegacyClientResponse.Sensor} mapping
 * @param {Array<{id: string, name: string}>} devices
 */
function sensorRow(path, { sensor, device }, devices) {
    const said = make("p", { class: "problem", hidden: true });
    const twinOf = twinNames(devices);
    const select = make("select", { class: "input", "aria-label": t`Device for the old sensor ${sensor}` },
        make("option", { value: "" }, t`No device`), devices.map((one) => make("option", { value: one.id }, [one.name, twinOf(one.id)].filter(Boolean).join(", "))));
    select.value = device ?? "";
    select.addEventListener("change", async () => {
        try {
            await put(`${path}/sensors/${encodeURIComponent(sensor)}`, { device: select.value || null });
            said.hidden = true;
            toast(t`Sensor ${sensor} is assigned.`);
        } catch (error) {
            said.hidden = false;
            fill(said, icon("warning"), make("span", {}, messageOf(error)));
            select.value = device ?? "";
        }
    });
    return make("div", { class: "legacy-sensor" },
        make("span", { class: "small" }, t`Sensor`, " ", make("b", { class: "strong" }, sensor)),
        make("span", { class: "with-arrow" }, select, icon("down", "s")), said);
}
