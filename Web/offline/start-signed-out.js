import { offerUpdates } from "./update-bar.js";
import { worker } from "./service-worker-client.js";

// What a page wants before signing in, when it has been drawn: the worker, and the bar that offers another version.
offerUpdates();
worker.start();
