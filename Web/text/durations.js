/**
 * "3:28", of minutes and seconds; from an hour on "11:20:05".
 * @param {number} seconds
 */
export function clockOf(seconds) {
    const whole = Math.max(0, Math.round(seconds));
    const two = (n) => String(n).padStart(2, "0");
    const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/**
 * "3 min 28 s", "2 min", "45 s", "11 h 20 min".
 * @param {number} seconds
 */
export function durationText(seconds) {
    const whole = Math.max(0, Math.round(seconds));
    if (whole >= 3600) return joined([Math.floor(whole / 3600), "h"], [Math.floor(whole / 60) % 60, "min"]);
    return joined([Math.floor(whole / 60), "min"], [whole % 60, "s"]) || "0 s";
}

function joined(...parts) {
    return parts.filter(([n]) => n > 0).map(([n, unit]) => `${n}\u00A0${unit}`).join(" ");
}
