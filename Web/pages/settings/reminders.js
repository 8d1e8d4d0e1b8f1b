import { signIn } from "../../app/sign-in.js";
import { calendarFeeds } from "../../reminders/calendar-feeds.js";
import { thisDevice } from "../../reminders/this-device.js";
import { t } from "../../language/text.js";

/** Reminders of every companion: how they reach this device, and calendars elsewhere. */
export function remindersSection({ signal, section }) {
    return section(t`Reminders`, thisDevice(signal), signIn.isAdult && calendarFeeds(signal));
}
