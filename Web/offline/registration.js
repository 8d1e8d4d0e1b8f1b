/**
 * Registers the service worker. The one place that does: two that ask for it differently would change what the other
 * registered.
 * @param {ServiceWorkerContainer} container
 * @returns {Promise<ServiceWorkerRegistration>}
 */
export function register(container) {
    // Its script is never taken from the browser's own cache, nor what it imports.
    return container.register("/sw.js", { scope: "/", updateViaCache: "none" });
}
