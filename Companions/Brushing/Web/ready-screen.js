import { button } from "../elements/button.js";
import { face } from "../elements/face.js";
import { art, icon } from "../elements/icon.js";
import { fill, make, text } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { linesSkeleton, sayingSkeleton } from "../elements/skeleton.js";
import { stylesheet } from "../elements/stylesheet.js";
import { keepInSight } from "../elements/who-row.js";
import { now } from "../app/clock.js";
import { signIn } from "../app/sign-in.js";
import { go } from "../app/shell.js";
import { frameDrawn, whenIdle } from "../app/when-idle.js";
import { prepareMusic, unlockMusic } from "./music/music-player.js";
import { overview } from "./overview.js";
import { partOfDay } from "./local-moment.js";
import { readySections } from "./ready-sections.js";
import { animal } from "./session/animal.js";
import { unlockSound } from "./session/cues.js";
import { partsOf, partsRing, routineRing } from "./session/routine-ring.js";
import { beginSessions, endSessions, findSessions } from "./session/active-session.js";
import { getReady } from "./session/get-ready.js";
import { routineText } from "./session/zone-text.js";
import { listed, t } from "../language/text.js";

/** Ready to brush: who, how long, one button; the week and the habit below it. */
export async function openReady({ screen, signal, title }) {
    title(t`Brushing`);
    const say = make("h1", { class: "say", tabindex: "-1" });
    const lead = make("p", { class: "lead" });
    const who = make("div", { class: "who", role: "group", "aria-label": t`Who brushes` });
    const stand = make("div", { class: "ready-ring" });
    const trouble = make("div", { "aria-live": "assertive" });
    const start = button(t`Start brushing`, {
        kind: "primary", size: "l", wide: true, icon: "play", press: () => begin(),
    });
    start.classList.add("start");
    const instead = button("", { size: "l", wide: true, press: () => endAndBegin() });
    instead.hidden = true;
    const along = button("", { kind: "quiet", wide: true, press: () => together() });
    along.hidden = true;
    const content = make("div", { class: "content" });
    const query = () => `?person=${encodeURIComponent(person?.id ?? "")}`;
    const header = make("header", { class: "header ready" },
        make("div", { class: "header-bar" },
            button(t`Tips`, { kind: "quiet", icon: "tooth", press: () => go("/brushing/tips") }),
            button(t`Settings`, { kind: "quiet", icon: "settings", press: () => go(`/brushing/settings${query()}`) })),
        who, say, lead, stand, trouble, start, instead, along);
    screen.append(header, content);
    /** @type {Brushing.OverviewPerson?} */
    let person = null;
    let ringOf = null;
    /** @type {Array<{id: string, name: string}>} */
    let running = []; // who brushes in this moment, here or in another window
    let isTogether = false; // the next face that is tapped brushes along
    /** @type {Brushing.OverviewPerson?} */
    let partner = null; // who brushes along, in the same steps
    let hasPainted = false; // the button, which does not wait for what stands around it
    const sections = readySections(signal);

    const draw = () => {
        if (!overview.data) return;
        person = overview.here() ?? null;
        if (!person) return drawNobody();
        drawWho();
        partner = overview.brushers.find(({ id }) => id === partner?.id && id !== person.id) ?? null;
        const isRunning = running.length > 0;
        const isAnothers = isRunning && !running.some(({ id }) => id === person.id);
        text(lead, isAnothers ? t`Finish that one first, or end it. What has been brushed is kept.`
            : isRunning ? t`It was started on this device and goes on from where it is.`
                : partner ? t`Both brush the way ${person.name} does.`
                    : isTogether ? t`Tap who brushes along with ${person.name}.` : routineText(person.routine.steps));
        const shape = JSON.stringify([person.routine.steps, person.isChildMode && person.face]);
        if (ringOf !== shape) {
            ringOf = shape;
            fill(stand, routineRing(person.routine));
            if (person.isChildMode) drawAnimal(person, shape);
        }
        fill(start, icon("play"), isAnothers ? t`Go on with ${listed(running.map(({ name }) => name))}’s`
            : isRunning ? t`Go on brushing` : t`Start brushing`);
        start.hidden = !isRunning && !person.mayDeliver;
        instead.hidden = !isAnothers || !person.mayDeliver;
        if (isAnothers) text(instead, t`End it, start ${person.name}’s`);
        along.hidden = isRunning || !person.mayDeliver || overview.brushers.length < 2;
        text(along, isTogether ? t`Only ${person.name}` : t`Brush together`);
        if (hasPainted) return drawAround();
        requestAnimationFrame(() => setTimeout(() => {
            hasPainted = true;
            if (!signal.aborted) drawAround();
        }));
    };
    /** What takes a slow phone longer than all the rest: what time it is there, and the figures. */
    const drawAround = () => {
        if (!person) return;
        const [one, ...others] = running;
        text(say, !one ? greeting(person, partner) : others.length === 0 ? t`${one.name} is brushing`
            : t`${listed(running.map(({ name }) => name))} are brushing`);
        if (content.firstChild !== sections.node) fill(content, sections.node);
        sections.show(person);
    };
    const drawWho = () => {
        const people = overview.brushers;
        who.hidden = people.length < 2;
        const shape = `${person.id} ${partner?.id} ${people.map((one) => `${one.id}${one.name}${one.face}`).join()}`;
        if (who.dataset.shape === shape) return;
        who.dataset.shape = shape;
        const focused = who.contains(document.activeElement) && document.activeElement instanceof HTMLElement
            ? document.activeElement.dataset.id : null;
        fill(who, people.map((one) => make("button", {
            type: "button", "aria-pressed": one.id === person.id || one.id === partner?.id,
            data: { id: one.id }, on: { click: () => choose(one) },
        }, face(one), make("span", { class: "person-name" }, one.name))));
        keepInSight(who);
        if (focused) [...who.children].find((node) => node instanceof HTMLElement && node.dataset.id === focused)?.focus();
    };
    /** For who does not read: the own animal, whose teeth are to be brushed. */
    /** @param {Brushing.OverviewPerson} person @param {string} shape */
    const drawAnimal = async ({ face: name, routine }, shape) => {
        await stylesheet("brushing/session/child.css");
        if (signal.aborted || ringOf !== shape) return;
        const { kind, behind, face: features, mouth } = animal(name);
        const node = partsRing(partsOf(routine), { under: behind, over: [features, mouth] });
        node.classList.add("animal");
        node.dataset.animal = kind;
        fill(stand, node);
    };
    const drawNobody = () => {
        text(say, t`Nobody brushes here yet`);
        text(lead, "");
        fill(stand);
        start.hidden = true;
        instead.hidden = true;
        along.hidden = true;
        fill(content, make("div", { class: "empty" },
            art("brushing", "art"),
            make("p", { class: "second" },
                t`Add the people of your household. Then everybody gets their own routine.`),
            make("a", { class: "button", href: "/settings" }, t`People`)));
    };
    const together = () => {
        isTogether = !isTogether;
        const others = overview.brushers.filter(({ id }) => id !== person.id);
        partner = isTogether && others.length === 1 ? others[0] : null;
        draw();
    };
    const choose = (one) => {
        if (isTogether && one.id !== person.id) {
            partner = one.id === partner?.id ? null : one;
            return draw();
        }
        isTogether = false;
        partner = null;
        overview.choose(one.id);
        prepareMusic(one.id);
        history.replaceState(history.state, "", `/brushing?person=${encodeURIComponent(one.id)}`);
        draw();
    };
    const begin = async () => {
        fill(trouble);
        try {
            unlockSound();
            unlockMusic();
            if (running.length === 0) {
                const people = [person, partner].filter((one) => one !== null);
                const named = { name: listed(people.map(({ name }) => name)), isChildMode: people.some((one) => one.isChildMode) };
                if (!await getReady(named, screen, signal)) return;
                const begun = await beginSessions(people);
                if (signal.aborted) return;
                if (begun[0].id !== person.id) { // begun before, and nobody had looked yet
                    running = begun;
                    return draw();
                }
                overview.choose(person.id);
            }
            await go("/brushing/session");
        } catch (error) {
            fill(trouble, problemNotice(error));
        }
    };
    const endAndBegin = async () => {
        fill(trouble);
        try {
            await endSessions();
        } catch (error) {
            return fill(trouble, problemNotice(error));
        }
        running = [];
        await begin();
    };
    const load = async () => {
        try {
            if (overview.data) await frameDrawn(); // what is known is shown before the hub is asked
            await overview.refresh();
        } catch (error) {
            if (signal.aborted || overview.data) return;
            text(say, t`Brushing cannot be shown right now`);
            fill(stand);
            fill(content, problemNotice(error, { retry: load }));
        }
    };
    const look = async () => {
        const stored = await findSessions();
        if (signal.aborted) return;
        running = stored.map((one) => one.person);
        draw();
    };
    /** What is only needed after a tap. */
    const prepare = async () => {
        await frameDrawn();
        await look();
        if (person) await prepareMusic(person.id);
        await sections.refine();
    };

    overview.addEventListener("change", draw, { signal });
    overview.recall();
    if (overview.data) draw();
    else {
        fill(say, sayingSkeleton(t`brushing`));
        fill(content, linesSkeleton(40, 90, 70));
        fill(stand, make("div", { class: "ring" }));
        who.hidden = true;
        start.hidden = true;
    }
    const isAsked = new URLSearchParams(location.search).get("start") === "1";
    const loaded = load();
    if (!isAsked) {
        whenIdle(() => { if (!signal.aborted) prepare().catch(() => {}); });
        return loaded;
    }
    // A notification's "Start": once, so that a reload or a way back does not begin another.
    history.replaceState(history.state, "", location.pathname + location.search.replace(/[?&]start=1/, ""));
    if (!overview.data) await loaded;
    await look().catch(() => {}); // said where it is begun
    if (!signal.aborted && person?.mayDeliver && (running.length === 0 || running.some(({ id }) => id === person.id))) await begin();
}

function greeting(person, partner) {
    const names = listed([person, partner].filter(Boolean).map(({ name }) => name));
    const part = partOfDay(now(), person.timeZone ?? signIn.hub.timeZone);
    if (part === "morning") return t`Good morning, ${names}`;
    return part === "afternoon" ? t`Good afternoon, ${names}` : t`Good evening, ${names}`;
}
