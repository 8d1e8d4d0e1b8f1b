import { fill, make } from "../../elements/make.js";
import { problemNotice } from "../../elements/notice.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { isAborted } from "../../house/api.js";

/**
 * A part of a page that is drawn from what the hub answers: its shape while it is asked, its problem with a way to
 * try again, its content.
 * @param {() => Promise<any>} load
 * @param {(answer: any) => any} draw  returns children
 * @returns {{node: HTMLElement, reload: () => Promise<void>}}
 */
export function loaded(load, draw) {
    const node = make("div", { class: "stack" }, linesSkeleton(50, 90, 70));
    const reload = async () => {
        try {
            fill(node, draw(await load()));
        } catch (error) {
            if (!isAborted(error)) fill(node, problemNotice(error, { retry: reload }));
        }
    };
    reload();
    return { node, reload };
}
