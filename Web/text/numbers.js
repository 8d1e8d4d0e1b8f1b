import { number as written, t } from "../language/text.js";

/**
 * A number as people read it: "5,400", "21.3".
 * @param {number} value
 * @param {number} [decimals]  at most so many
 */
export const number = (value, decimals = 0) => written(value, decimals);

/** A measured value with as many decimals as its size deserves. */
export function measured(value) {
    const size = Math.abs(value);
    return number(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/** "1 reading", "1,908 readings". */
export function counted(n, one, many = `${one}s`) {
    return `${number(n)} ${n === 1 ? one : many}`;
}

/**
 * "84 MB".
 * @param {number} bytes
 */
export function bytes(bytes) {
    if (bytes < 1e6) return `${number(bytes / 1e3)} kB`;
    return bytes < 1e9 ? `${number(bytes / 1e6, 1)} MB` : `${number(bytes / 1e9, 1)} GB`;
}

/**
 * A value with its unit, as the language writes it: "41 °C", "43%" or "43 %".
 * @param {string} value  in words already
 * @param {string?} [unit]
 */
export function withUnit(value, unit) {
    return unit === "%" ? t`${value}%` : unit ? `${value}\u00A0${unit}` : value;
}

/**
 * A measured number with as many decimals as it always has, so that it does not jump, and a minus that is as wide as a
 * digit; a dash for nothing.
 * @param {number} value  NaN for nothing
 * @param {number} decimals
 */
export function figure(value, decimals) {
    if (!Number.isFinite(value)) return "–";
    const digits = Math.abs(value).toFixed(decimals);
    const [whole, rest] = digits.split(".");
    const point = number(0.5, 1)[1]; // as the page's language writes it
    const words = rest ? `${number(Number(whole))}${point}${rest}` : number(Number(whole));
    return value < 0 && Number(digits) !== 0 ? `−${words}` : words;
}
