import { toast } from "../elements/toast.js";
import { post, remove } from "../app/api.js";
import { messageOf } from "../app/problem.js";
import { plantStore } from "./plant-store.js";
import { t } from "../language/text.js";

/** "Not today": nobody is reminded of a plant for a day. With a way back. */
export async function putOff(plant) {
    const path = pathOf(plant);
    try {
        plantStore.take(await post(path, {}));
        toast(t`${plant.name} can wait until tomorrow.`, { icon: "snooze", undo: async () => plantStore.take(await remove(path)) });
    } catch (error) {
        toast(messageOf(error), { icon: "warning" });
    }
}

/** A plant that was put off is reminded of again. */
export async function remindAgain(plant) {
    try {
        plantStore.take(await remove(pathOf(plant)));
    } catch (error) {
        toast(messageOf(error), { icon: "warning" });
    }
}

/** @param {{id: string}} plant */
function pathOf({ id }) {
    return /** @type {const} */ (`/api/plants/${encodeURIComponent(id)}/snooze`);
}
