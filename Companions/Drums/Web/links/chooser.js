import { button } from "../../elements/button.js";
import { make } from "../../elements/make.js";
import { sheet } from "../../elements/sheet.js";
import { stylesheet } from "../../elements/stylesheet.js";
import { t } from "../../language/text.js";
import { wifiRows } from "./wifi-rows.js";
import { lastUsed } from "./stored-links.js";
import { LINK } from "../engine-constants.js";
import { hubDeviceOf } from "./hub-device.js";
import { linkRow } from "./link-row.js";
import { links } from "./links.js";
import { whatWorks } from "./what-works.js";

/** The kinds that a person connects with a press, and where each is from. */
const MAKERS = {
    [LINK.bluetooth]: async () => new (await import("./bluetooth-kit.js")).BluetoothKit(),
    [LINK.bluetoothMIDI]: async () => new (await import("./bluetooth-midi.js")).BluetoothMidi(),
    [LINK.midi]: async () => new (await import("./midi-link.js")).MidiLink(),
};

/**
 * Asks which drums to play with: each way with what this browser can do, how it stands and how fast it is. What is
 * connected is used at once.
 * @param {{closed?: () => void}} [options]
 */
export function openLinkChooser(options = {}) {
    const { closed } = options;
    stylesheet("drums/links/links.css");
    // A browser asks only while something is pressed: the modules are here before.
    const made = new Map();
    const list = make("ul", { class: "rows links" });
    const opened = sheet(t`Drums to play with`, {
        lead: t`A song that is being played goes on where it was.`,
        body: [list, make("div", { class: "sheet-actions" },
            button(t`Done`, { kind: "primary", press: () => opened.close() }))],
        closed: () => {
            // What is not on by now is not waited for any more.
            for (const link of made.values()) if (link !== links.current) link.disconnect();
            closed?.();
        },
    });
    opened.node.classList.add("link-chooser");
    const rows = [];
    const draw = () => { for (const row of rows) row.draw(); };
    const { signal } = opened;
    links.addEventListener("change", draw, { signal });

    /** Draws what becomes of a link, and plays with it as soon as it is on. */
    const watched = (link) => {
        link.addEventListener("state", () => {
            if (link.isOn && links.current !== link && !signal.aborted) links.use(link);
            draw();
        }, { signal });
        return link;
    };
    const kindRow = (kind, able, last) => {
        const isOwn = (link) => link?.kind === kind && !link.isByHub;
        const own = () => (isOwn(links.current) ? links.current : made.get(kind) ?? null);
        // A press that comes before the module waits for it: the browser takes it for a press for some seconds.
        let making = null;
        const ready = async () => {
            if (own()) return own();
            making ??= MAKERS[kind]().then((link) => { made.set(kind, watched(link)); });
            try {
                await making;
            } finally {
                making = null;
            }
            return own();
        };
        if (own()) watched(own());
        else if (able.can) ready().catch(() => {}); // the hub went away: the press asks for it once more
        return linkRow({
            kind, able, wasLast: last?.kind === kind && !hubDeviceOf(last.id), link: own,
            isUsed: () => isOwn(links.current),
            connect: async () => {
                const link = await ready();
                if (signal.aborted) return;
                if (link.isOn) links.use(link);
                else await link.connect();
            },
            cancel: () => {
                const link = own();
                if (links.current === link) leave(link, kind);
                else link?.disconnect();
            },
            another: () => own()?.choose?.(),
            more: () => moreOf(own(), () => leave(own(), kind), draw),
        });
    };
    const leave = (link, key) => {
        made.set(key, link);
        links.use(null);
    };

    const screen = linkRow({
        kind: LINK.screen, wasLast: false, link: () => null, isUsed: () => links.current === null,
        connect: () => links.use(null), cancel: () => {}, more: () => [calibrate(null, draw)],
    });
    rows.push(screen);
    list.append(screen.node);
    (async () => {
        const [works, last] = [await whatWorks(), lastUsed()];
        if (signal.aborted) return;
        const bluetooth = kindRow(LINK.bluetooth, works.bluetooth, last);
        const wifi = wifiRows({ watched, last, signal, leave, made, more: moreOf });
        const midi = kindRow(LINK.midi, works.midi, last);
        const bluetoothMidi = kindRow(LINK.bluetoothMIDI, works.bluetooth, last);
        rows.push(bluetooth, wifi, midi, bluetoothMidi);
        list.append(bluetooth.node, wifi.node, midi.node, bluetoothMidi.node);
    })();
    return opened;
}

/** What else can be done with drums that are on. */
function moreOf(link, leave, draw) {
    if (!link) return [];
    const letGo = button(t`Disconnect`, { kind: "quiet", press: leave });
    if (!link.isOn || link.hasOwnClock) return [letGo];
    return [
        button(t`Teach the pads`, {
            icon: "drums", press: async () => (await import("./teach-pads.js")).teachPads(link),
        }),
        button(t`Strokes that are none`, {
            icon: "settings", press: async () => (await import("./crosstalk-sheet.js")).crosstalkSheet(link.name),
        }),
        calibrate(link, draw), letGo,
    ];
}

function calibrate(link, closed) {
    return button(t`Measure the delay`, {
        kind: "quiet", icon: "clock", press: async () => (await import("./calibration.js")).openCalibration(link, { closed }),
    });
}
