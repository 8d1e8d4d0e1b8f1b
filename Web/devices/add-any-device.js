import { menu } from "../elements/sheet.js";
import { toast } from "../elements/toast.js";
import { get } from "../app/api.js";
import { companions, newcomerOf } from "../app/companions.js";
import { messageOf } from "../app/problem.js";
import { addDevice } from "./add-device.js";
import { ANY_DEVICE } from "./device-setup.js";
import { foundDevices, lastWords, openFound } from "./found-devices.js";
import { t } from "../language/text.js";

const LOOK = 3000; // milliseconds, while the hub listens

/**
 * Adds a device of any kind that the household's companions have, or a sensor of another maker that was found in the house; where
 * there are several, one is chosen first.
 * @param {{companion?: string, closed?: (device: object?) => void}} [options]  `companion`: only of this one's kinds, by
 *   its slug; `closed` is given the device that was made, or null
 */
export async function addAnyDevice(options = {}) {
    const { companion, closed } = options;
    let kinds = [];
    try {
        kinds = await kindsOf(companion);
        if (kinds.length === 0) toast(t`This hub has no kind of device to add.`, { icon: "info" });
    } catch (error) {
        toast(messageOf(error), { icon: "warning" });
    }
    if (kinds.length === 0) return closed?.(null);
    const add = ({ kind, title }) => addDevice({ kind, suggestion: title, closed });
    // Those that were found come first; without them the list is as it was.
    const look = () => foundDevices(slugs).catch(() => []);
    const slugs = companion ? [companion] : companions().map(({ slug }) => slug);
    const [found, radio] = await Promise.all([look(), get("/api/bluetooth").catch(() => null)]);
    const hasRadio = radio?.status === "idle" || radio?.status === "listening";
    if (kinds.length === 1 && found.length === 0 && !hasRadio) return add(kinds[0]);
    const rows = (all) => [
        ...all.map((one) => ({ word: one.name, hint: lastWords(one), icon: "radio", act: () => openFound(one, closed) })),
        ...kinds.map((one) => ({ word: one.title, hint: one.lead, icon: one.icon, act: () => add(one) })),
    ];
    const opened = menu(t`Add device`, rows(found), {
        lead: hasRadio ? t`The hub listens for sensors near it. What it hears appears here.` : undefined,
        closed: () => closed?.(null),
    });
    if (!hasRadio) return;
    const timer = setInterval(async () => {
        const all = await look();
        if (!opened.signal.aborted) opened.show(rows(all));
    }, LOOK);
    opened.signal.addEventListener("abort", () => clearInterval(timer));
}

/**
 * The kinds of the companions that the household uses, in the hub's order, each with its words.
 * @param {string} [companion]
 */
async function kindsOf(companion) {
    const icons = new Map(companions().map(({ slug, icon }) => [slug, icon]));
    const offered = (await get("/api/device-kinds")).filter((one) =>
        icons.has(one.companion) && one.companion === (companion ?? one.companion));
    return Promise.all(offered.map(async ({ kind, title, companion: slug }) => {
        const newcomer = await newcomerOf(kind) ?? ANY_DEVICE;
        return { kind, title: newcomer.title ?? title, lead: newcomer.lead, icon: icons.get(slug) };
    }));
}
