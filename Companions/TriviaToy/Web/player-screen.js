import { get, isAborted, post, put } from "../app/api.js";
import { messageOf } from "../app/problem.js";
import { go } from "../app/shell.js";
import { signIn } from "../app/sign-in.js";
import { button, iconButton } from "../elements/button.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { linesSkeleton } from "../elements/skeleton.js";
import { whoRow } from "../elements/who-row.js";
import { language, t } from "../language/text.js";
import { categoryIcon, categoryWord } from "./categories.js";
import { overview, pathOf } from "./overview.js";
import { canSpeak, noVoice, playSound, say } from "./speech.js";
import { votes } from "./votes.js";

/** What is said of facts in another language than the page's, and what is offered: by the page's language. */
const OTHERWISE = {
    en: { language: /** @type {const} */ ("en"), says: (name) => t`${name} hears facts in German.`, offer: () => t`Tell them in English` },
    de: { language: /** @type {const} */ ("de"), says: (name) => t`${name} hears facts in English.`, offer: () => t`Tell them in German` },
};

/** A child's page that shows nothing else: one fact, aloud, and then the next. */
export async function openPlayer({ screen, signal, title }) {
    title(t`Hear a fact`);
    const who = make("div", { class: "settings-who" });
    const stage = make("div", { class: "stage", "aria-live": "polite" }, linesSkeleton(80, 60));
    const foot = make("div", { class: "foot" });
    const close = iconButton(t`Close`, "close", () => go("/toy"));
    screen.append(make("div", { class: "toy-player" }, make("div", { class: "bar" }, who, close), stage, foot));
    let person = null;
    let fact = null;
    let speaking = null;

    /** Says how the fact ended that is on the screen, once. */
    const report = async (ending) => {
        const heard = fact;
        fact = null;
        speaking?.stop();
        speaking = null;
        if (!heard) return;
        await post(pathOf(person, "plays"), { fact: heard.id, ending });
    };
    const next = async () => {
        let answer;
        try {
            // Who asks for another before the end has stopped this one.
            await report("stopped");
            answer = await get(pathOf(person, "next"), { signal });
        } catch (error) {
            if (signal.aborted || isAborted(error)) return;
            fill(stage, problemNotice(error));
            fill(foot, button(t`Try again`, { kind: "primary", size: "l", icon: "refresh", press: next }));
            return;
        }
        if (signal.aborted) return;
        const goOn = () => (answer.silence ? showSilence(answer.silence) : showFact(answer.fact));
        if (answer.message) showMessage(answer.message, goOn);
        else goOn();
    };
    /** The rules of the house hold here too. */
    const showSilence = ({ reason, headline, lead }) => {
        speaking?.stop();
        fill(stage, icon(reason === "quietHours" ? "moon" : "check", "l"),
            make("h1", { class: "say told", tabindex: "-1" }, headline), make("p", {}, lead));
        fill(foot, person.mayDecide && signIn.isAdult && make("a", {
            class: "button", data: { size: "l" }, href: `/toy/rules?person=${person.id}`,
        }, t`House rules`));
    };
    const showFact = (following) => {
        speaking?.stop();
        fact = following;
        if (!fact) {
            fill(stage, make("h1", { class: "say told" }, t`There is nothing to tell in these categories.`),
                make("p", {}, t`A grown-up can choose more of them.`));
            fill(foot, make("a", { class: "button", data: { size: "l" }, href: "/toy/categories" }, t`Categories`));
            return;
        }
        show();
    };
    const show = () => {
        const shown = fact;
        fill(stage,
            make("p", { class: "toy-category" }, icon(categoryIcon(shown.category)), categoryWord(shown.category)),
            make("h1", { class: "say told", lang: shown.language, tabindex: "-1" }, shown.text),
            otherLanguage(shown),
            !canSpeak() && make("p", { class: "small" }, noVoice()),
            make("h2", { class: "unseen", id: "toy-player-votes" }, t`Was it a good one?`), votes(shown, "toy-player-votes", person.id).node);
        fill(foot,
            button(t`Next fact`, { kind: "primary", size: "l", icon: "forward", press: next }),
            canSpeak() && button(t`Say it again`, { icon: "sound", press: () => speak(shown) }));
        speak(shown);
    };
    /** Facts in another language than the page's: whose choice that is, and the page's own for who may choose. */
    const otherLanguage = (shown) => {
        const words = OTHERWISE[language()];
        if (!words || shown.language === language()) return null;
        return make("p", { class: "small" }, words.says(person.name), " ",
            person.mayDecide ? make("button", {
                class: "link", type: "button", on: {
                    click: async () => {
                        try {
                            await put(pathOf(person, "settings"), { language: words.language });
                            await next();
                        } catch (error) {
                            if (!isAborted(error) && !signal.aborted) foot.append(make("p", { class: "small", role: "status" }, messageOf(error)));
                        }
                    },
                },
            }, words.offer()) : t`A grown-up can choose another language.`);
    };
    /** Somebody recorded something: it comes in place of a fact, and is noted as heard at its end. */
    const showMessage = (message, goOn) => {
        fill(stage,
            make("p", { class: "toy-category" }, icon("voice"), t`A message`),
            make("h1", { class: "say told", tabindex: "-1" }, t`${message.title} has something to tell you.`));
        const listen = () => {
            speaking?.stop();
            const mine = speaking = playSound(`/api/toy/messages/${message.id}/audio`);
            mine.ended.then(async (ending) => {
                if (ending === "stopped" || signal.aborted) return;
                try {
                    if (ending === "finished") await post(/** @type {any} */ (`/api/toy/messages/${message.id}/heard`));
                } catch (error) {
                    if (!isAborted(error)) foot.append(make("p", { class: "small", role: "status" }, messageOf(error)));
                }
            });
        };
        fill(foot,
            button(t`Next fact`, { kind: "primary", size: "l", icon: "forward", press: goOn }),
            button(t`Listen to it`, { icon: "sound", press: listen }));
        listen();
    };
    const speak = (shown) => {
        speaking?.stop();
        speaking = say(shown.text, shown.language);
        speaking.ended.then(async (ending) => {
            // One that could only be read counts as heard when the next is asked for.
            if (ending !== "finished" || fact !== shown) return;
            try {
                await report("finished");
            } catch (error) {
                if (!isAborted(error) && !signal.aborted) foot.append(make("p", { class: "small", role: "status" }, messageOf(error)));
            }
        });
    };
    signal.addEventListener("abort", () => speaking?.stop());
    signal.addEventListener("abort", () => { report("stopped").catch(() => {}); });
    let begun = false;
    await overview.follow(signal, {
        draw: () => {
            if (begun) return;
            const people = overview.players;
            person = overview.here() ?? people[0];
            if (!person) return;
            begun = true;
            fill(who, people.length > 1 && whoRow(t`Who listens`, people, person.id, async (id) => {
                await report("stopped").catch(() => {});
                overview.choose(id);
                person = people.find((one) => one.id === id);
                await next();
            }));
            next();
        },
        missing: (error, retry) => fill(stage, problemNotice(error, { retry })),
    });
}
