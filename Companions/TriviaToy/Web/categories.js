import { t } from "../language/text.js";

/** What facts are about: the hub's name of each category, its word and its icon. */
export const CATEGORIES = new Map([
    ["general", [t`All sorts`, "toy"]], ["animals", [t`Animals`, "animals"]], ["plants", [t`Plants`, "leaf"]],
    ["humanBody", [t`The body`, "body"]], ["space", [t`Space`, "space"]], ["earth", [t`The earth`, "sea"]],
    ["science", [t`Science`, "flask"]], ["inventions", [t`Inventions`, "bulb"]], ["computers", [t`Computers`, "laptop"]],
    ["numbers", [t`Numbers`, "numbers"]], ["history", [t`Times past`, "past"]], ["geography", [t`Lands and cities`, "globe"]],
    ["art", [t`Art`, "edit"]], ["music", [t`Music`, "music"]], ["books", [t`Books`, "book"]],
    ["filmAndTelevision", [t`Film and television`, "camera"]], ["games", [t`Games`, "play"]],
    ["sports", [t`Sports`, "ball"]], ["food", [t`Food`, "food"]], ["languages", [t`Languages`, "words"]],
    ["mythology", [t`Myths`, "moon"]], ["vehicles", [t`Vehicles`, "forward"]], ["politics", [t`How we live together`, "people"]],
    ["celebrities", [t`Well-known people`, "person"]], ["kitchenChemistry", [t`Kitchen chemistry`, "flask"]],
    ["oceans", [t`Oceans`, "sea"]], ["physics", [t`Physics`, "magnet"]], ["weather", [t`Weather`, "sun"]],
]);

/** The word of a category. @param {string} name  the hub's */
export const categoryWord = (name) => CATEGORIES.get(name)?.[0] ?? t`All sorts`;

/** The icon of a category. @param {string} name  the hub's */
export const categoryIcon = (name) => CATEGORIES.get(name)?.[1] ?? "toy";
