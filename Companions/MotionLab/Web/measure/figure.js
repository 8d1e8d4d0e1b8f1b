import { number } from "../../text/numbers.js";

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
