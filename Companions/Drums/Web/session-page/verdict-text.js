import { t } from "../../language/text.js";

/** What became of a beat, in a few words. Nobody is blamed for one. */
export const VERDICT_TEXT = {
    right: t`right at the first try`, wrongFirst: t`after another drum`, offTime: t`early or late`, missed: t`not hit`,
    notJudged: t`not judged`, unanswered: t`not answered`,
};
