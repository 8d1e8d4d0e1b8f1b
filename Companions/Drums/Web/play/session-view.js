import { button, iconButton } from "../../elements/button.js";
import { icon } from "../../elements/icon.js";
import { fill, make, text } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { levelName } from "../levels.js";
import { PADS } from "../pads.js";
import { Lane } from "./lane.js";
import { padsRow } from "./pads-row.js";
import { comingText, tempoText, promptOf } from "./play-text.js";
import { shownShape } from "./shown-shape.js";

const UNITS = 12; // bricks of the song's bar
/** What the words of a view depend on: the rest of it moves with each frame, or stands still. */
const SAID = ["phase", "asked", "last", "isWaiting", "wrong", "count", "link"];

/**
 * The fullscreen view of a song: what is asked for in words that are read from across the room, the lane of what is
 * coming, the four drums, and how they are joined.
 * @param {object} active  the song that is played, see active-session.js
 * @param {{toggle: () => any, stop: () => any, settings: () => any, hit: (drum: number, at: number) => void,
 *   reconnect: () => any, withScreen: () => any}} acts
 * @returns {{node: HTMLElement, show: () => object?, link: (says: object) => void, flash: Function}}  `show`: answers with
 *   what is seen where other words are now
 */
export function sessionView(active, acts) {
    const { song, level, beats, drums, tempo } = active.about;
    const pause = iconButton(t`Pause`, "pause", acts.toggle);
    const beat = make("span", { class: "fine nowrap" });
    const bricks = make("span", { class: "dose", vars: { units: UNITS, done: 0 } });
    const bar = make("div", {
        class: "song-bar", role: "progressbar", "aria-label": t`Song`, "aria-valuemin": 0, "aria-valuemax": beats,
    }, bricks, beat);
    const say = make("h1", { class: "say", tabindex: "-1" });
    const lead = make("p", { class: "lead" });
    const shape = make("div", { class: "cue-shape" });
    const showShape = shownShape(shape);
    const now = make("div", { class: "cue-now" }, say, lead, shape);
    const lane = new Lane(active.about);
    const pads = padsRow(drums, acts.hit);
    const linkIcon = make("span", { class: "link-icon" }, icon("radio", "s"));
    const linkText = make("span");
    const rest = make("div", { class: "rest" });
    const content = make("div", { class: "content" },
        lane.node,
        make("div", { class: "pads-place" }, pads.node, rest),
        make("p", { class: "keys", "aria-hidden": true }, PADS.map(({ keys }) => make("kbd", {}, keys[0].toUpperCase()))),
        make("p", { class: "link-state fine" }, linkIcon, linkText));
    const node = make("div", { class: "play" },
        make("header", { class: "header" },
            make("div", { class: "header-bar" },
                make("a", { class: "header-name", href: "/drums" }, icon("back"), t`Songs`),
                pause, iconButton(t`Settings`, "settings", acts.settings), iconButton(t`Stop the song`, "close", acts.stop)),
            make("div", { class: "song" },
                make("p", {}, make("b", { class: "strong" }, song.title), " ",
                    make("span", { class: "fine" }, `${active.stored.person.name}, ${levelName(level)}, ${tempoText(tempo)}`)),
                bar),
            now),
        content);
    let drawn = {};
    const show = () => {
        const view = active.view;
        lane.show(view);
        pads.show(view.asked?.drum ?? null);
        const isNews = SAID.some((name) => view[name] !== drawn[name]);
        if (isNews) {
            const words = promptOf(view);
            text(say, words.say);
            text(lead, words.lead);
            showShape(words.drum);
            now.dataset.state = words.drum === null ? "words" : view.asked ? "asked" : "still";
        }
        if (drawn.beat !== view.beat) {
            const where = t`beat ${view.beat} of ${beats}`;
            text(beat, where);
            bricks.style.setProperty("--done", String((view.beat / Math.max(1, beats)) * UNITS));
            bar.setAttribute("aria-valuenow", String(view.beat));
            bar.setAttribute("aria-valuetext", where);
        }
        if (drawn.asked !== view.asked || drawn.coming !== view.coming) {
            lane.node.setAttribute("aria-label", comingText(view.asked, view.coming));
        }
        if (drawn.phase !== view.phase) {
            node.dataset.phase = view.phase;
            drawRest(view.phase);
            const isPaused = view.phase === "paused";
            pause.hidden = view.phase === "lost" || view.phase === "over";
            const word = isPaused ? t`Go on` : t`Pause`;
            pause.setAttribute("aria-label", word);
            pause.title = word;
            fill(pause, icon(isPaused ? "play" : "pause"));
        }
        Object.assign(drawn, view);
        return isNews ? view : null;
    };
    /** Over the pads, where the thumb is: what one can do while nothing is played. */
    const drawRest = (phase) => {
        pads.node.inert = phase === "paused" || phase === "lost";
        rest.hidden = !pads.node.inert;
        if (phase === "paused") {
            fill(rest, button(t`Go on`, { kind: "primary", size: "l", wide: true, icon: "play", press: acts.toggle }),
                button(t`Stop the song`, { size: "l", wide: true, press: acts.stop }));
        }
        if (phase === "lost") {
            fill(rest,
                button(t`Reconnect`, { kind: "primary", size: "l", wide: true, icon: "radio", press: acts.reconnect }),
                button(t`Go on with the screen`, { size: "l", wide: true, press: acts.withScreen }),
                button(t`Stop the song`, { kind: "quiet", size: "l", wide: true, press: acts.stop }));
        }
    };
    return {
        node, show, flash: pads.flash,
        link: ({ words, icon: name }) => {
            text(linkText, words);
            if (linkIcon.dataset.icon === name) return;
            linkIcon.dataset.icon = name;
            fill(linkIcon, icon(name, "s"));
        },
    };
}
