import { CachedResource } from "../../app/cached-resource.js";

/** What has been recorded: what the hub answered last. */
export const recordings = new CachedResource("lab", "/api/lab/recordings");
