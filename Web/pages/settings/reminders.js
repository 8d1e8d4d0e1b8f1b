import { icon } from "../../elements/icon.js";
import { make } from "../../elements/make.js";
import { signIn } from "../../app/sign-in.js";
import { calendarFeeds } from "../../reminders/calendar-feeds.js";
import { channels } from "../../reminders/channels.js";
import { thisDevice } from "../../reminders/this-device.js";
import { t } from "../../language/text.js";

/** Reminders of every companion: how they reach this device, and calendars elsewhere. */
export function remindersSection({ signal, section }) {
    return section(t`Reminders`,
        make("div", { class: "rows" }, make("a", { class: "row", href: "/settings/reminders" }, icon("bell"),
            make("span", { class: "words" }, make("span", { class: "name" }, t`When, how much, and quiet hours`),
                make("span", { class: "fine" }, t`Of everything that Tandem reminds of, and what came lately`)),
            icon("forward", "s"))),
        thisDevice(signal), signIn.isAdult && channels(signal), signIn.isAdult && calendarFeeds(signal));
}
