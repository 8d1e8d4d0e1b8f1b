import { button } from "../../elements/button.js";
import { connectedSwitch } from "../../elements/connected-switch.js";
import { face } from "../../elements/face.js";
import { icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { segmented } from "../../elements/segmented.js";
import { storedControls } from "../../elements/stored-controls.js";
import { toggle } from "../../elements/switch.js";
import { toast } from "../../elements/toast.js";
import { messageOf } from "../../app/problem.js";
import { signIn } from "../../app/sign-in.js";
import { languages, storedLanguage, storeLanguage } from "../../language/ready.js";
import { t } from "../../language/text.js";
import { chooseTheme, chosenTheme } from "../../app/theme.js";
import { cached, store } from "../../offline/cache.js";
import { canInstall, install, installing } from "../../offline/install.js";
import { askWho } from "../who/who.js";

/** This device: who uses it, whether the family shares it, whether it listens, how it looks. */
export function hereSection({ signal, section }) {
    const who = make("button",
        { class: "row", type: "button", "aria-haspopup": "dialog", on: { click: () => askWho() } });
    const family = familySwitch();
    const draw = () => {
        fill(who, face(signIn.profile),
            make("span", { class: "words" },
                make("span", { class: "name" }, signIn.profile.name),
                make("span", { class: "fine" }, t`uses this device now`)),
            icon("forward", "s"));
        family.show();
    };
    signIn.addEventListener("change", draw, { signal });
    draw();
    return section(t`This device`,
        make("div", { class: "rows" }, who, signIn.isAdult && family.node, connectedSwitch(signal, { hint: true }),
            make("a", { class: "row", href: "/wall" }, icon("laptop"),
                make("span", { class: "words" }, make("span", { class: "name" }, t`On the wall`),
                    make("span", { class: "fine" }, t`The time and how everything is, for a tablet that hangs or stands somewhere`)),
                icon("forward", "s"))),
        installPart(signal),
        make("div", { class: "field" },
            make("span", { class: "label" }, t`Appearance`),
            segmented(t`Appearance`, [
                { value: "system", word: t`Same as the system` }, { value: "light", word: t`Light` },
                { value: "dark", word: t`Dark` },
            ], chosenTheme(), chooseTheme)),
        languagePart());
}

/** In which language this device shows the page; not where there is one alone. */
function languagePart() {
    if (languages.length === 1) return null;
    return make("div", { class: "field" },
        make("span", { class: "label" }, t`Language`),
        segmented(t`Language`, [
            { value: "", word: t`Same as the browser` },
            ...languages.map((tag) => ({ value: tag, word: nameOf(tag) })),
        ], storedLanguage() ?? "", (tag) => {
            storeLanguage(tag || null);
            location.reload();
        }));
}

/** What a language calls itself. The first use of `Intl` costs a slow phone 120 ms: what it said is cached for the next visit. */
function nameOf(tag) {
    const names = cached("languages") ?? {};
    if (names[tag]) return names[tag];
    const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag);
    store("languages", { ...names, [tag]: name });
    return name;
}

function familySwitch() {
    const { node, input } = toggle({
        name: t`Family device`, hint: t`It asks “Who is this?” whenever it is opened`, on: signIn.isShared,
        change: (on) => save(() => signIn.share(on)).catch((error) => toast(messageOf(error), { icon: "warning" })),
    });
    const { show, save } = storedControls(node, () => { input.checked = signIn.isShared; });
    return { node, show: () => show(signIn) };
}

/** Shown where the browser would install the page now. */
function installPart(signal) {
    const node = make("div", { class: "row-of-buttons" },
        button(t`Install Tandem on this device`, { icon: "download", press: () => install() }));
    const draw = () => { node.hidden = !canInstall(); };
    installing.addEventListener("change", draw, { signal });
    draw();
    return node;
}
