import { toast } from "../elements/toast.js";
import { remove } from "../app/api.js";
import { now } from "../app/clock.js";
import { Problem } from "../app/problem.js";
import { signIn } from "../app/sign-in.js";
import { outbox } from "../offline/outbox.js";
import { dayAndTime } from "../text/dates.js";
import { plantStore } from "./plant-store.js";
import { notedWaterings } from "./noted.js";
import { t } from "../language/text.js";

const PATIENCE = 2500; // milliseconds: a hub that is there has stored it by then

/**
 * "I watered it": goes through the outbox, whether the hub is there or not, with the time at which it was done and
 * the person who did it. Says what came of it, and lets it be undone.
 * @param {{id: string, name: string}} plant
 * @param {number} [at]  UTC milliseconds; now where it is left out
 * @throws {Problem}  where this device could not keep it
 */
export async function noteWatering(plant, at) {
    const done = at ?? now();
    const path = pathOf(plant.id);
    const body = { at: done, person: signIn.profile.id };
    notedWaterings.add(plant.id, done);
    let id;
    try {
        id = await outbox.add({
            queue: `plant ${plant.id}`, path, title: t`Watered ${plant.name}`, about: { at: done },
            bytes: new TextEncoder().encode(JSON.stringify(body)),
        });
    } catch (error) {
        notedWaterings.forget(plant.id);
        throw error;
    }
    const outcome = await outbox.outcome(id, PATIENCE);
    if (outcome.came === "failed") {
        toast(outcome.failed.detail, { icon: "warning" });
        return;
    }
    const { came } = outcome;
    const response = outcome.came === "delivered" ? outcome.response : undefined;
    if (came === "delivered") plantStore.soon();
    const noted = at ? t`${plant.name}: watering saved, ${dayAndTime(at)}.` : t`${plant.name}: watering saved.`;
    toast(came === "delivered" ? noted : t`${plant.name}: saved on this device, and sent when the hub is back.`, {
        icon: "drop", undo: () => undo(id, path, response), key: path,
    });
}

/**
 * The waterings of a plant that wait on this device, the latest first, and those that the hub refused. Not those that
 * are being taken back.
 * @param {Array<any>} entries  of the outbox
 * @param {string} plant
 */
export const waitingWaterings = (entries, plant) =>
    entries.filter((entry) => entry.path === pathOf(plant) && !entry.isTakenBack).reverse();

/** @param {string} plant */
function pathOf(plant) {
    return /** @type {const} */ (`/api/plants/${encodeURIComponent(plant)}/waterings`);
}

/**
 * @param {string} id
 * @param {ReturnType<typeof pathOf>} path
 * @param {{id?: string}} [response]
 */
async function undo(id, path, response) {
    const came = await outbox.takeBack(id);
    if (came === "asked") {
        toast(t`The hub may have it already. It is taken back as soon as the hub answers.`, { icon: "clock" });
    }
    if (came !== "gone") return;
    if (!response?.id) throw new Problem(409, { detail: t`It has been sent in the meantime. You can remove it from the watering log.` });
    await remove(`${path}/${encodeURIComponent(response.id)}`);
    plantStore.soon();
}
