/** What Drums brings to the shell. */
export default {
    icon: "drums",
    screens: [],
};
