import { unreachable } from "../app/problem.js";
import { address } from "../elements/address.js";

/** @type {Map<string, Promise<WebAssembly.Module>>} */
const compiled = new Map();

/**
 * A companion's engine, the same code as in the hub, compiled to WebAssembly. What it exports is at
 * {@link Engine.call}; bytes go in through {@link Engine.put} and come out through {@link Engine.answer}.
 */
class Engine {
    /**
     * The functions that the companion exports.
     * @type {Object<string, (...values: number[]) => number>}
     */
    call;

    /** @type {WebAssembly.Memory} */
    #memory;

    /** The names of a view's fields, which the module tells once. @type {Map<string, string[]>} */
    #fields = new Map();

    constructor(instance) {
        this.call = instance.exports;
        this.#memory = instance.exports.memory;
    }

    /**
     * Puts bytes where the engine reads them, for the next call.
     * @param {Uint8Array} bytes
     * @returns {number}  their count, which that call wants
     */
    put(bytes) {
        const at = this.call.buffer(bytes.length);
        // The view is made after the call: memory may have grown, and views of before are then of nothing.
        new Uint8Array(this.#memory.buffer, at, bytes.length).set(bytes);
        return bytes.length;
    }

    /**
     * A copy of the bytes that a call has answered with.
     * @param {number} count  what the call returned
     * @returns {Uint8Array}
     */
    answer(count) {
        return new Uint8Array(this.#memory.buffer, this.call.answer(), count).slice();
    }

    /**
     * A view: the state of one thing at this moment, as the module describes and writes it (ViewWriter.swift).
     * @param {string} name @param {number[]} values  of what, where there are several
     * @returns {Object<string, number>}
     */
    view(name, ...values) { return this.rows(name, ...values)[0]; }

    /**
     * A view of a list.
     * @param {string} name @param {number[]} values
     * @returns {Array<Object<string, number>>}
     */
    rows(name, ...values) {
        const numbers = new Float64Array(this.answer(this.call[name](0, ...values)).buffer);
        if (numbers.length === 0) return []; // nor would the module tell the names
        if (!this.#fields.has(name)) {
            const names = new TextDecoder().decode(this.answer(this.call[name](1, ...values)));
            this.#fields.set(name, names.trim().split(" "));
        }
        const all = [];
        for (let at = 0; at < numbers.length;) {
            /** @type {Object<string, number>} */
            const row = {};
            for (const field of this.#fields.get(name)) row[field] = numbers[at++];
            all.push(row);
        }
        return all;
    }
}

/**
 * An engine with a memory of its own. Its module is of this page's build, kept by the service worker like all of its
 * files, and compiled once.
 * @param {string} slug  the companion's
 * @returns {Promise<Engine>}
 */
export async function engine(slug) {
    if (!compiled.has(slug)) compiled.set(slug, compile(address(`wasm/${slug}.wasm`)));
    try {
        const instance = await WebAssembly.instantiate(await compiled.get(slug));
        /** @type {() => void} */ (instance.exports._initialize)?.();
        return new Engine(instance);
    } catch (error) {
        compiled.delete(slug); // the next try loads it anew
        throw error;
    }
}

/** @param {string} path @returns {Promise<WebAssembly.Module>} */
async function compile(path) {
    const answer = await self.fetch(path, { credentials: "same-origin" }).catch((error) => { throw unreachable(error); });
    if (!answer.ok) throw new Error(`${path} answered with ${answer.status}.`);
    return WebAssembly.compileStreaming(answer);
}
