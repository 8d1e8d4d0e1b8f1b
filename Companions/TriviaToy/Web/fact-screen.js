import { get, isAborted } from "../app/api.js";
import { signIn } from "../app/sign-in.js";
import { button } from "../elements/button.js";
import { header, section } from "../elements/header.js";
import { icon } from "../elements/icon.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { linesSkeleton, sayingSkeleton } from "../elements/skeleton.js";
import { t } from "../language/text.js";
import { categoryIcon, categoryWord } from "./categories.js";
import { factContext } from "./fact-context.js";
import { canSpeak, noVoice, say } from "./speech.js";
import { onVote, votes } from "./votes.js";

/** One fact: what it says, where it can be read up, and one's vote. */
export async function openFact({ screen, signal, title, params }) {
    title(t`A fact`);
    const about = make("p", { class: "toy-category" });
    const voice = make("div");
    const tools = make("div", { class: "row-of-buttons toy-speak" });
    const top = header({ back: { href: "/toy", word: t`History` }, above: about, below: [tools] });
    fill(top.say, sayingSkeleton(t`the fact`));
    top.say.classList.add("toy-told");
    const content = make("div", { class: "content" }, linesSkeleton(60, 40));
    screen.append(top.node, content);
    let speaking = null;
    signal.addEventListener("abort", () => speaking?.stop());
    const beside = make("div", { class: "toy-beside" });
    const path = /** @type {const} */ (`/api/toy/facts/${encodeURIComponent(params.id)}`);
    let choice = null;
    const load = async () => {
        try {
            const fact = await get(path, { signal });
            show(fact);
            const context = await get(`${path}/context`, { signal });
            // Their quiet hours hold here too.
            if (context.silence) {
                speaking?.stop();
                fill(voice, make("p", { class: "small" }, context.silence.headline, " ", context.silence.lead));
            }
            fill(beside, factContext(fact, context));
        } catch (error) {
            if (signal.aborted || isAborted(error)) return;
            top.say.textContent = t`This fact cannot be shown`;
            fill(content, problemNotice(error, { retry: error?.unreachable && load }));
        }
    };
    const show = (fact) => {
        title(fact.text);
        top.say.textContent = fact.text;
        top.say.lang = fact.language;
        fill(about, icon(categoryIcon(fact.category)), make("span", { class: "strong" }, categoryWord(fact.category)),
            fact.youngestAge > 0 && make("span", { class: "fine" }, t`for ages ${fact.youngestAge} and up`));
        fill(voice, canSpeak() ? button(t`Say it`, {
                icon: "sound",
                press: () => {
                    speaking?.stop();
                    speaking = say(fact.text, fact.language);
                },
            }) : make("p", { class: "small" }, noVoice()));
        fill(tools, voice,
            fact.sourceURL ? make("a", { class: "link", data: { block: "" }, href: fact.sourceURL, target: "_blank", rel: "noreferrer" },
                fact.sourceTitle || t`Where it is from`, icon("out", "s"))
                : fact.sourceTitle && make("span", { class: "fine" }, fact.sourceTitle));
        const heading = make("h2", { id: "toy-votes" }, t`What ${signIn.profile.name} thinks of it`);
        choice = votes(fact, "toy-votes");
        fill(content,
            make("section", { class: "section", "aria-labelledby": "toy-votes" },
                make("div", { class: "section-head" }, heading,
                    make("span", { class: "fine" }, t`good ones come sooner to others`)),
                choice.node,
                make("p", { class: "small second" }, t`Press again to take it back.`)),
            fact.origin === "openTrivia" && section(t`Where it comes from`,
                make("p", { class: "small second" }, t`From Open Trivia DB, under the licence CC BY-SA 4.0.`)),
            beside);
    };
    // Until the next vote it stands as it is where the hub does not answer.
    onVote(signal, () => get(path, { signal }).then((fact) => choice?.show(fact), () => {}));
    await load();
}
