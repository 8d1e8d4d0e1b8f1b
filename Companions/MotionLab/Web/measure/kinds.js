/** The engine's numbers of what is measured: `SensorKind`. */
export const KIND = {
    accelerometer: 1, linearAcceleration: 2, gravity: 3, gyroscope: 4, magnetometer: 5, barometer: 6, altitude: 7, sound: 9,
};

/** The engine's numbers of where values come from: `SensorSource`. */
export const SOURCE = { lab: 0, webKitMotion: 3, chromiumMotion: 4, genericSensor: 5, simulated: 9 };

/** The engine's numbers of how a sensor is. */
export const STATE = { waiting: 0, live: 1, silent: 2, stuck: 3 };
