/** The paints of the tiles, in their order: `data-paint`, in tokens.css. */
export const PAINTS = ["moss", "sky", "rose", "amber", "teal"];
