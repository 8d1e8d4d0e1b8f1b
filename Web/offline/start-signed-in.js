import { followNotifications } from "../reminders/notification-clicks.js";
import { push } from "../reminders/push.js";
import { showReminders } from "../reminders/reminder-bar.js";
import { keepZones } from "../text/zones.js";
import "./outbox.js"; // sends what was kept
import { offerUpdates } from "./update-bar.js";
import { worker } from "./service-worker-client.js";

// Once a page, when it has been drawn, what nobody waits for: the worker and the bar that offers another version, bars
// for what is due, the way from a notification, and a subscription that is still the right one. What a page without a
// worker may want when the hub went away comes with it.
offerUpdates();
worker.start();
showReminders();
followNotifications();
keepZones();
push.mend().catch(() => {}); // the hub is away, or the browser’s push service: the next visit tries again
