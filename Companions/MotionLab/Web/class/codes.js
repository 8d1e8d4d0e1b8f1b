/**
 * The ways into classes that this page has opened: the hub says each once, and stores its hash alone.
 * @type {Map<string, MotionLab.ClassCodeResponse>}
 */
export const codes = new Map();
