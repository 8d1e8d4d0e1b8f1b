import { lazyScreens } from "../app/lazy-screens.js";
import { today, watch } from "./today.js";

const later = lazyScreens(() => import("./all-screens.js"));

/** What @TITLE@ brings to the shell; Web/README.md says what each member is. */
export default {
    icon: "@SLUG@",
    screens: [later("/@SLUG@", "openOverview")],
    today,
    watch,
    newcomers: { "@SLUG@": async () => (await import("./newcomer.js")).NEWCOMER },
};
