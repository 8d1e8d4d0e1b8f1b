import { art } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { header } from "../elements/header.js";
import { signIn } from "../app/sign-in.js";
import { t } from "../language/text.js";

/** An address where nothing is shown: a companion that this household has closed says so, anything else is not here. */
export function notHere({ screen, title }) {
    const closed = signIn.allCompanions.find(({ path, isUsed }) => !isUsed && isWithin(path));
    const say = closed ? t`You have closed ${closed.title}` : t`There is no such page`;
    const lead = !closed ? t`The address may be old, or mistyped.`
        : signIn.isAdult ? t`What it keeps stays on the hub. You can open it again in Settings.`
        : t`What it keeps stays on the hub. An adult can open it again in Settings.`;
    const icon = closed?.slug ?? "today";
    if (closed) document.body.dataset.companion = closed.slug;
    title(say);
    screen.append(
        header({ name: closed?.title ?? "Tandem", icon, say, lead, below: [art(icon, "header-art not-here-art")] }).node,
        make("div", { class: "content" },
            closed && signIn.isAdult && make("p", {},
                make("a", { class: "link", data: { block: "" }, href: "/settings" }, t`Go to Settings`)),
            make("p", {}, make("a", { class: "link", data: { block: "" }, href: "/" }, t`Go to Today`))));
}

function isWithin(path) {
    return location.pathname === path || location.pathname.startsWith(`${path}/`);
}
