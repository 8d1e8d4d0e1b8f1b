import { FILE_CACHE } from "./cache.js";

/** The most that is cached on a device, bytes: a dozen songs of a family's, and little beside what a phone has. */
export const MOST = 64_000_000;

const USED = "X-Cached-Used"; // when it was wanted last, UTC milliseconds

/**
 * A file of the hub's that never changes under its address: from the cache, else from the hub, and
 * cached then. What was wanted longest ago goes when there would be more than {@link MOST}; who signs out clears all of
 * it. A browser that stores nothing, as on a plain page, asks the hub each time.
 * @param {string} path
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<Response>}  the hub's answer, also one that is no success
 * @throws {TypeError} where it is not cached, and the hub does not answer
 */
export async function cachedFile(path, options = {}) {
    const { signal } = options;
    const cache = await opened();
    const cached = await cache?.match(path);
    if (cached) {
        const bytes = await cached.arrayBuffer();
        await storeFile(cache, path, bytes);
        return new Response(bytes);
    }
    const answer = await self.fetch(path, { credentials: "same-origin", signal });
    if (!cache || !answer.ok) return answer;
    const bytes = await answer.arrayBuffer();
    await storeFile(cache, path, bytes);
    return new Response(bytes);
}

/**
 * Whether a file is cached on this device.
 * @param {string} path
 */
export async function isCached(path) {
    return await (await opened())?.match(path) !== undefined;
}

const opened = () => globalThis.caches?.open(FILE_CACHE).catch(() => null);

async function storeFile(cache, path, bytes) {
    if (bytes.byteLength > MOST) return;
    const headers = { [USED]: String(Date.now()), "Content-Length": String(bytes.byteLength) };
    try {
        await cache.put(path, new Response(bytes, { headers }));
        await tidy(cache);
    } catch {
        // No room: the next time it comes from the hub again.
    }
}

/** Lets go of what was wanted longest ago, until the rest is no more than is allowed. */
async function tidy(cache) {
    const files = await Promise.all((await cache.keys()).map(async (request) => {
        const { headers } = await cache.match(request);
        return { request, size: Number(headers.get("Content-Length")), used: Number(headers.get(USED)) };
    }));
    let size = files.reduce((sum, one) => sum + one.size, 0);
    for (const one of files.toSorted((a, b) => a.used - b.used)) {
        if (size <= MOST) return;
        await cache.delete(one.request);
        size -= one.size;
    }
}
