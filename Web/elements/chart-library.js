import { address } from "./address.js";
import { make } from "./make.js";

let loading = null;

/**
 * Chart.js, which comes as a classic script and is fetched when the first chart is drawn.
 * @returns {Promise<any>}
 */
export function chartLibrary() {
    loading ??= new Promise((done, failed) => {
        document.head.append(make("script", {
            src: address("vendor/chart.js"),
            on: {
                load: () => done(globalThis.Chart),
                error: () => {
                    loading = null;
                    failed(new Error("The part that draws charts did not come from the hub."));
                },
            },
        }));
    });
    return loading;
}
