import { fadeEnds } from "../../elements/fade-ends.js";
import { art, icon } from "../../elements/icon.js";
import { fill, make } from "../../elements/make.js";
import { header } from "../../elements/header.js";
import { GROUPS, tips } from "./tips.js";
import { t } from "../../language/text.js";

/** All the tips, by group, with a way to find one. They are part of the page, so they are here without the hub too. */
export async function openTips({ screen, title }) {
    title(t`Tips`);
    const search = make("input", {
        class: "input", type: "search", "aria-label": t`Search the tips`, placeholder: t`Search the tips`,
        autocomplete: "off", enterkeyhint: "search",
    });
    const found = make("p", { class: "fine", role: "status" });
    const list = make("div", { class: "tips" });
    let group = "all";
    const chips = chooseGroup((chosen) => {
        group = chosen;
        draw();
    });
    const draw = () => {
        const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
        const shown = tips.filter((tip) => (group === "all" || tip.group === group)
            && words.every((word) => textOf(tip).includes(word)));
        const isAll = words.length === 0 && group === "all";
        found.textContent = isAll ? "" : t`${shown.length} of ${tips.length} tips`;
        fill(list, shown.length === 0 && nothing(search.value), GROUPS.map(({ id, title: name, icon: sign }) => {
            const own = shown.filter((tip) => tip.group === id);
            return own.length > 0 && make("section", { class: "section", "aria-labelledby": `tips-${id}` },
                make("h2", { id: `tips-${id}`, class: "tips-group" }, icon(sign), name),
                make("ul", { class: "rows tip-list" }, own.map(row)));
        }));
    };
    search.addEventListener("input", draw);
    draw();
    screen.append(
        header({
            back: { href: "/brushing", word: t`Brushing` }, say: t`What is known about teeth`,
            lead: t`${tips.length} things worth knowing, each with who says so. They are about habits; for your own teeth ask your dentist.`,
            below: [art("tooth", "header-art tips-art")],
        }).node,
        make("div", { class: "content" },
            make("div", { class: "tips-find" },
                make("span", { class: "with-icon" }, icon("search"), search), chips, found),
            list));
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function chooseGroup(choose) {
    const all = [{ id: "all", title: t`All` }, ...GROUPS];
    const node = make("div", { class: "chips", role: "group", "aria-label": t`Which tips`, data: { scroll: "" } },
        all.map(({ id, title }) => make("button", {
            class: "chip", type: "button", "aria-pressed": id === "all",
            on: {
                click: ({ currentTarget }) => {
                    for (const one of node.children) one.setAttribute("aria-pressed", String(one === currentTarget));
                    choose(id);
                },
            },
        }, title)));
    fadeEnds(node);
    return node;
}

function row({ id, title, says, source }) {
    return make("li", { class: "tip-row", id: `tip-${id}` },
        make("h3", {}, title),
        make("p", { class: "second" }, says),
        make("a", { class: "tip-source small", href: source.url, target: "_blank", rel: "noreferrer" },
            make("span", {}, `${source.from}: `, make("span", { class: "tip-source-title" }, source.title)),
            icon("out", "s"), make("span", { class: "unseen" }, " ", t`(opens outside)`)));
}

function nothing(words) {
    return make("p", { class: "second" }, words.trim() ? t`No tip has “${words.trim()}” in it.` : t`No tip here.`);
}

function textOf({ title, says, source }) {
    return `${title} ${says} ${source.from}`.toLowerCase();
}
