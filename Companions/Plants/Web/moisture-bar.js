import { ageText } from "../text/dates.js";
import { number } from "../text/numbers.js";
import { now } from "../app/clock.js";

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
        this.setAttribute("aria-label", "Moisture");
        this.setAttribute("aria-valuemin", "0");
        this.setAttribute("aria-valuemax", "100");
        this.setAttribute("aria-valuenow", String(moisture ? Math.round(moisture.value * 10) / 10 : 0));
        const of = unknown && moisture ? `, of ${ageText(now() - moisture.at, moisture.at)}` : "";
        const value = moisture ? `${number(moisture.value)} percent${of}` : "not known";
        this.setAttribute("aria-valuetext", `${value}; limits ${number(limits.low)} and ${number(limits.high)}`);
    }
}

customElements.define("moisture-bar", MoistureBar);
