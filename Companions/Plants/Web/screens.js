import { begin } from "./begin.js";
import { openGarden } from "./garden-screen.js";
import { legacySection } from "./legacy.js";
import { openPlant } from "./plant-screen.js";
import { today, watch } from "./today.js";

/** What Plants brings to the shell: its icon, its style sheets, its screens, its band, its part of the settings, and how one begins. */
export default {
    icon: "plants",
    styles: ["plants.css", "plant.css"],
    screens: [
        { path: "/plants", open: openGarden },
        { path: "/plants/:id", open: openPlant },
    ],
    today,
    watch,
    settings: legacySection,
    begin,
};
