/** The paints of the doors, in the order of the street: `data-paint`, in tokens.css. */
export const PAINTS = ["moss", "sky", "rose", "amber", "teal"];
