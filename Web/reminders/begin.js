import { followNotifications } from "./notification-clicks.js";
import { push } from "./push.js";
import { showReminders } from "./reminder-bar.js";

// Once a page: bars for what is due, the way from a notification, and a subscription that is still the right one.
showReminders();
followNotifications();
push.mend().catch(() => {}); // the hub is away, or the browser’s push service: the next visit tries again
