import { button } from "../elements/button.js";
import { field } from "../elements/field.js";
import { fill, make } from "../elements/make.js";
import { get, isAborted } from "../app/api.js";
import { t } from "../language/text.js";

const PATIENCE = 200; // milliseconds after a key, before the hub is asked

/**
 * A search in the hub's table of kinds, in English, German or Latin. Nothing has to be chosen.
 * @param {{kind?: string|null, signal: AbortSignal, chosen: (kind: object) => any}} options
 */
export function kindField({ kind, signal, chosen }) {
    const search = field({
        label: t`Kind of plant`, name: "kind", type: "search", value: kind ?? "",
        hint: t`Such as “fern” or “monstera”. It fills in what such a plant likes; you can change all of it.`,
    });
    const list = make("ul", { class: "rows kinds", "aria-label": t`Kinds found` });
    const said = make("p", { class: "fine", role: "status" });
    let value = kind ?? "";
    let timer = null;
    const name = (one) => (document.documentElement.lang === "de" ? one.german : one.english);
    const take = (one) => {
        value = one.latin;
        search.input.value = name(one);
        fill(list);
        said.textContent = t`${name(one)} (${one.latin}). See ${one.source}.`;
        search.input.focus();
        chosen({ ...one, name: name(one) });
    };
    const look = async () => {
        try {
            const { kinds } = await get(`/api/plants/kinds?${new URLSearchParams({ search: search.input.value.trim() })}`, { signal });
            if (!search.input.value.trim()) return;
            said.textContent = kinds.length === 0 ? t`No such kind here. That is fine: set below what it likes.` : "";
            fill(list, kinds.slice(0, 5).map((one) => make("li", {}, button(t`${name(one)} (${one.latin})`, {
                kind: "quiet", press: () => take(one),
            }))));
        } catch (error) {
            if (!isAborted(error)) said.textContent = t`The kinds cannot be searched right now. You can add the plant without.`;
        }
    };
    search.input.addEventListener("input", () => {
        clearTimeout(timer);
        value = "";
        said.textContent = "";
        fill(list);
        if (search.input.value.trim()) timer = setTimeout(look, PATIENCE);
    });
    signal.addEventListener("abort", () => clearTimeout(timer));
    search.node.append(list, said);
    return {
        ...search, node: search.node,
        /** Its Latin name; empty for none. */
        get value() { return value; },
        /** What was typed to search for it. */
        get searched() { return search.input.value.trim(); },
    };
}
