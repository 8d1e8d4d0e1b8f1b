import { art } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { linesSkeleton, sayingSkeleton } from "../../elements/skeleton.js";
import { header } from "../../elements/header.js";
import { whoRow } from "../../elements/who-row.js";
import { t } from "../../language/text.js";
import { levelName } from "../levels.js";
import { overview } from "../overview.js";
import { filesSection } from "./files-section.js";
import { firstSongSection } from "./first-song-section.js";
import { linkSection } from "./link-section.js";
import { planSection } from "./plan-section.js";
import { playSection } from "./play-section.js";
import { songSection } from "./song-section.js";
import { soundSection } from "./sound-section.js";

/**
 * A path about a person.
 * @typedef {<Rest extends string>(person: {id: string}, rest: Rest) => `/api/drums/people/${string}/${Rest}`} PathOf
 * @type {PathOf}
 */
const pathOf = (person, rest) => `/api/drums/people/${encodeURIComponent(person.id)}/${rest}`;

/** The settings of one person: drums and level, how songs go, sounds, link, the plan, files. */
export async function openDrumSettings({ screen, signal, title }) {
    title(t`Drums settings`);
    const who = make("div", { class: "settings-who" });
    const top = header({
        back: { href: "/drums", word: t`Drums` }, above: who, lead: " ", below: [art("drums", "header-art drums-art")],
    });
    const content = make("div", { class: "content drums-settings" }, linesSkeleton(50, 90, 70), linesSkeleton(40, 80));
    fill(top.say, sayingSkeleton(t`settings`));
    screen.append(top.node, content);
    const sections = [playSection(pathOf, signal), songSection(pathOf), soundSection(pathOf),
        linkSection(pathOf, signal), firstSongSection(),
        planSection(pathOf), filesSection()];
    let person = null;
    let isDrawn = false;
    const draw = () => {
        if (!overview.data || signal.aborted) return;
        const people = overview.data.people.filter(({ mayDecide }) => mayDecide);
        person = people.find(({ id }) => id === (person ?? overview.here())?.id) ?? people[0] ?? null;
        if (!person) {
            top.say.textContent = t`Nothing to set here`;
            return fill(content, make("p", { class: "second" },
                t`Settings are for grown-ups, and for a child at its own profile.`));
        }
        if (who.dataset.of !== people.map(({ id }) => id).join()) {
            who.dataset.of = people.map(({ id }) => id).join();
            fill(who, people.length > 1 && whoRow(t`Whose settings`, people, person.id, choose));
        }
        const { play } = person;
        const drums = play.drums.filter(Boolean).length;
        top.say.textContent = drums === play.drums.length ? t`${person.name} plays all four drums`
            : t`${person.name} plays ${drums} drums`;
        top.lead.textContent = play.words
            ?? (play.mode === "flow" ? t`${levelName(play.level)}, and the music goes on.`
                : t`${levelName(play.level)}, and the music waits.`);
        if (!isDrawn) {
            isDrawn = true;
            fill(content, sections.map(({ node }) => node));
        }
        for (const one of sections) one.show(person);
    };
    const choose = async (id) => {
        // What waits belongs to who was here before; where it cannot be stored, they stay.
        if (!await sections[0].settle()) {
            who.dataset.of = "";
            return draw();
        }
        person = overview.person(id);
        overview.choose(id);
        history.replaceState(history.state, "", `/drums/settings?person=${encodeURIComponent(id)}`);
        draw();
    };
    await overview.follow(signal, {
        draw,
        missing: (error, retry) => {
            top.say.textContent = t`The settings cannot be shown right now`;
            top.lead.hidden = true;
            fill(content, problemNotice(error, { retry }));
        },
    });
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
