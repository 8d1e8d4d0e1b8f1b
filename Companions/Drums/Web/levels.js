import { t } from "../language/text.js";

/** The four challenge levels by the names that the original gave them. */
export const LEVELS = [
    { value: "1", word: t`Easy` }, { value: "2", word: t`Medium` }, { value: "3", word: t`Hard` },
    { value: "4", word: t`Mingsanity` },
];

/** @param {number} level  from 1 */
export const levelName = (level) => LEVELS[level - 1]?.word ?? String(level);
