/** What became of a beat, in a few words. Nobody is blamed for one. */
export const VERDICT_TEXT = {
    right: "right at once", wrongFirst: "after another drum", offTime: "early or late", missed: "not hit",
    notJudged: "not judged", unanswered: "not answered",
};
