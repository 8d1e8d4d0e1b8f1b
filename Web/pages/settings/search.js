import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";

/**
 * A field that leaves those sections in sight that have all the words typed into it, however they are written.
 * @param {HTMLElement} sections  what holds them; what they hold may come later
 * @param {AbortSignal} signal
 */
export function searchField(sections, signal) {
    const input = make("input", {
        class: "input", type: "search", name: "search", "aria-label": t`Search the settings`,
        placeholder: t`Search`, autocomplete: "off", spellcheck: "false", enterkeyhint: "search",
    });
    const nothing = make("p", { class: "second", role: "status" });
    const filter = () => {
        const words = plain(input.value).split(/\s+/).filter(Boolean);
        let found = 0;
        for (const section of sections.children) {
            const isFound = words.length === 0 || hasAll(section, words);
            section.toggleAttribute("data-unfound", !isFound);
            if (isFound && !section.hasAttribute("hidden")) found += 1;
        }
        nothing.textContent = found > 0 ? "" : t`No setting has these words.`;
    };
    input.addEventListener("input", filter);
    const later = new MutationObserver(() => { if (input.value !== "") filter(); });
    later.observe(sections, { childList: true, subtree: true, characterData: true });
    signal.addEventListener("abort", () => later.disconnect());
    return make("search", { class: "stack" }, make("span", { class: "with-icon" }, icon("search"), input), nothing);
}

function hasAll(section, words) {
    const names = [...section.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label"));
    const said = plain([section.textContent, ...names].join(" "));
    return words.every((word) => said.includes(word));
}

/** Without what is easily typed otherwise: capitals, accents. */
function plain(words) {
    return words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
