const OF_HUB = "hub "; // before the id of a device, where a browser's own ids for Bluetooth stand too

/** The id by which drums that the hub's own radio holds are remembered, of the id of the hub's device. */
export const rememberedOf = (device) => OF_HUB + device;

/** The id of the hub's device, of the id that drums are remembered by; null for a browser's own. */
export const hubDeviceOf = (id) => (id?.startsWith(OF_HUB) ? id.slice(OF_HUB.length) : null);
