/* Enumerations of the engine: scripts/engine-constants.py writes them, of the Swift sources that they name. */

/** The quantity that a stream of samples measures: `SensorKind` in Engine/Sensors/SensorKind.swift. */
export const KIND = {
    accelerometer: 1,
    linearAcceleration: 2,
    gravity: 3,
    gyroscope: 4,
    magnetometer: 5,
    barometer: 6,
    altitude: 7,
    orientation: 8,
    sound: 9,
    light: 10,
    steps: 11,
    temperature: 12,
    humidity: 13,
};

/** The source of values: `SensorSource` in Engine/Sensors/SensorSource.swift. */
export const SOURCE = {
    lab: 0,
    coreMotion: 1,
    android: 2,
    webKitMotion: 3,
    chromiumMotion: 4,
    genericSensor: 5,
    sensorLoggerIOS: 6,
    sensorLoggerAndroid: 7,
    phyphox: 8,
    simulated: 9,
    physicsToolbox: 10,
};
