import { t } from "../language/text.js";

/**
 * What a device measures, in words; of what nobody knows, the name that the device gives it.
 * @param {string} quantity  as topics and tables have it
 */
export function quantityName(quantity) {
    const words = quantity.replaceAll(/[_-]/g, " ");
    return NAMES[quantity] ?? words[0].toUpperCase() + words.slice(1);
}

const NAMES = {
    moisture: t`Moisture`, temperature: t`Temperature`, humidity: t`Humidity`, light: t`Brightness`, conductivity: t`Conductivity`,
    pressure: t`Air pressure`, battery: t`Battery level`, capacitance: t`Raw value of the probe`,
    moisture_raw: t`Moisture before calibration`,
};
