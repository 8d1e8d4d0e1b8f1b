import { lazyScreens } from "../app/lazy-screens.js";
import { t } from "../language/text.js";
import { today, watch } from "./today.js";

const later = lazyScreens(() => import("./all-screens.js"));
const styles = ["toy/screens.css"];

/** What the trivia toy brings to the shell; Web/README.md says what each member is. */
export default {
    icon: "toy",
    screens: [
        later("/toy", "openHistory", styles),
        later("/toy/categories", "openCategories", styles),
        later("/toy/toys", "openToys", styles),
        later("/toy/facts/:id", "openFact", styles),
        later("/toy/play", "openPlayer", styles, { fullscreen: true }),
        later("/toy/rules", "openRules", styles),
        later("/toy/week", "openWeek", styles),
        later("/toy/import", "openImport", styles),
        later("/toy/messages", "openMessages", styles),
        later("/toy/set-up", "openSetUp", styles),
        later("/toy/original", "openOriginal", styles),
    ],
    today,
    watch,
    newcomers: { toy: async () => (await import("./newcomer.js")).TOY },
    begin: {
        title: t`Trivia toy`,
        says: t`The page tells something new each time. So does a toy that is thrown; a computer plays it until its firmware can be put on a board.`,
        tryTitle: t`Hear a fact`,
        deviceTitle: t`Add a toy`,
        try: async () => "/toy/play",
        device: async () => {
            const { addDevice } = await import("../devices/add-device.js");
            return new Promise((done) => {
                addDevice({ kind: "toy", suggestion: t`Owl`, closed: (device) => done(device && "/toy/toys") });
            });
        },
    },
};
