import { art } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { plantStore } from "./plant-store.js";
import { notedWaterings } from "./noted.js";
import { t } from "../language/text.js";

/** The card on Today: the hub's own sentences, and every plant as a tube with its limit. */
export async function today({ fresh }) {
    const { headline, plants } = notedWaterings.shownAll(await plantStore.forToday(fresh));
    const ages = plants.map((plant) => plant.moisture?.at).filter(Boolean);
    const events = plants.filter((plant) => plant.lastWatering && !plant.lastWatering.undone).map((plant) => ({
        at: plant.lastWatering.at, icon: "watered",
        words: plant.lastWatering.by === "hand"
            ? plant.lastWatering.person ? t`${plant.name} was watered by ${plant.lastWatering.person}`
                : t`${plant.name} was watered`
            : t`${plant.name} got water, as its sensor noticed`,
    }));
    if (plants.length === 0) {
        const says = t`Put a sensor into a pot and add the plant, or try it without one.`;
        return { headline: headline.text, weight: headline.weight, says, at: null, figure: null, events };
    }
    const at = ages.length > 0 ? Math.max(...ages) : null;
    return { headline: headline.text, weight: headline.weight, says: headline.lead || headline.text, at, figure: sill(plants), events };
}

/** Has the card drawn anew when anything changed, and at most once a second while readings come. */
export function watch(draw, signal) {
    let timer = null;
    plantStore.addEventListener("change", draw, { signal });
    plantStore.moves.addEventListener("moisture", () => {
        timer ??= setTimeout(() => {
            timer = null;
            if (!signal.aborted) draw();
        }, 1000);
    }, { signal });
}

/** Plants on a sill, each with a tube: how full, and a tick at its lower limit. */
function sill(plants) {
    return make("span", { class: "tubes", role: "img", "aria-label": plants.map(words).join("; ") || t`No plants yet` },
        plants.slice(0, 6).map((plant) => make("span", { class: "tube-plant" },
            make("span", { class: "tube-pair" },
                make("span", {
                    class: "tube", data: { state: plant.state },
                    vars: { value: plant.moisture?.value ?? 0, low: plant.limits.low },
                }),
                art(`art-${plant.art}`, "tube-art")),
            make("span", { class: "fine tube-name" }, plant.name))));
}

function words(plant) {
    if (!plant.moisture || plant.state === "silent" || plant.state === "none") return t`${plant.name}: not known`;
    return t`${plant.name}: ${Math.round(plant.moisture.value)} percent`;
}
