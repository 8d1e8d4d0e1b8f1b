import { ageText } from "../text/dates.js";
import { now } from "../app/clock.js";
import { t } from "../language/text.js";

/**
 * `<moisture-bar>`: moisture on its ruled scale, with the plant's own limits. Its property `plant` takes the plant.
 * Solid ink when it is dry; hatched when nobody knows.
 */
export class MoistureBar extends HTMLElement {
    set plant(plant) {
        const { moisture, limits, state } = plant;
        const unknown = state === "silent" || state === "none";
        this.className = "moisture";
        this.dataset.state = unknown ? "unknown" : state;
        this.style.setProperty("--value", String(Math.min(100, Math.max(0, moisture?.value ?? 0))));
        this.style.setProperty("--low", String(limits.low));
        this.style.setProperty("--high", String(limits.high));
        this.setAttribute("role", "meter");
        this.setAttribute("aria-label", t`Moisture`);
        this.setAttribute("aria-valuemin", "0");
        this.setAttribute("aria-valuemax", "100");
        this.setAttribute("aria-valuenow", String(moisture ? Math.round(moisture.value * 10) / 10 : 0));
        const value = Math.round(moisture?.value);
        const [low, high] = [Math.round(limits.low), Math.round(limits.high)];
        this.setAttribute("aria-valuetext", !moisture ? t`not known, limits ${low} and ${high}`
            : unknown ? t`${value} percent (${ageText(now() - moisture.at, moisture.at)}), limits ${low} and ${high}`
                : t`${value} percent, limits ${low} and ${high}`);
    }
}

customElements.define("moisture-bar", MoistureBar);
