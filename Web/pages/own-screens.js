import { go } from "../app/shell.js";
import { t } from "../language/text.js";
import { openToday } from "./today.js";

/**
 * The screens that are of no companion, the one of an unknown path last. A screen is loaded when it is opened; Today, which most
 * visits begin with, is here.
 */
export const ownScreens = [
    { path: "/", title: t`Today`, open: openToday },
    { path: "/settings", title: t`Settings`, open: async (place) => (await import("./settings.js")).openSettings(place) },
    {
        path: "/settings/reminders", title: t`Reminders`,
        open: async (place) => (await import("./settings/reminders-screen.js")).openReminders(place),
    },
    { path: "/wall", title: t`On the wall`, fullscreen: true, open: async (place) => (await import("./wall.js")).openWall(place) },
    {
        path: "/welcome", title: t`Welcome`,
        open: async (place) => (await import("./welcome/welcome.js"))
            .openWelcome({ ...place, isSignedIn: true, leave: () => go("/") }),
    },
    { path: ".*", title: t`Not found`, open: async (place) => (await import("./not-here.js")).notHere(place) },
];
