/// A property that a BTHome object is a value of (bthome.io/format). The comments say the unit of numbers, and what true is
/// of a binary sensor.
public enum BTHomeProperty: UInt8, CaseIterable, Sendable {
    /// Acceleration, metres per second squared.
    case acceleration
    /// The charge of the battery, percent.
    case battery
    /// The number of a channel.
    case channel
    /// Carbon dioxide, parts per million.
    case carbonDioxide
    /// Conductivity, microsiemens per centimetre.
    case conductivity
    /// A count.
    case count
    /// Electric current, amperes.
    case current
    /// The dew point, degrees Celsius.
    case dewPoint
    /// A direction, degrees.
    case direction
    /// A distance, metres.
    case distance
    /// A duration, seconds.
    case duration
    /// Energy, kilowatt hours.
    case energy
    /// A volume of gas, cubic metres.
    case gas
    /// Angular velocity, degrees per second.
    case gyroscope
    /// Relative humidity, percent.
    case humidity
    /// Illuminance, lux.
    case illuminance
    /// The level of light: 0 dark, 1 twilight, 2 bright.
    case lightLevel
    /// Mass, kilograms.
    case massInKilograms
    /// Mass, pounds.
    case massInPounds
    /// Moisture, percent.
    case moisture
    /// Particles of up to 2.5 µm, micrograms per cubic metre.
    case particles2Point5
    /// Particles of up to 10 µm, micrograms per cubic metre.
    case particles10
    /// Power, watts.
    case power
    /// Precipitation, millimetres.
    case precipitation
    /// Pressure, hectopascals.
    case pressure
    /// Rotation, degrees.
    case rotation
    /// Rotational speed, revolutions per minute.
    case rotationalSpeed
    /// The revision of the device's settings.
    case settingsRevision
    /// Speed, metres per second.
    case speed
    /// Temperature, degrees Celsius.
    case temperature
    /// A moment, seconds since 1970 UTC.
    case timestamp
    /// Volatile organic compounds, micrograms per cubic metre.
    case volatileOrganicCompounds
    /// Voltage, volts.
    case voltage
    /// A volume, litres.
    case volume
    /// A stored volume, litres.
    case volumeStorage
    /// The rate of a flow, cubic metres per hour.
    case volumeFlowRate
    /// The UV index.
    case ultravioletIndex
    /// A volume of water, litres.
    case water
    /// A text, UTF-8.
    case text
    /// Bytes that only their maker knows the meaning of.
    case raw

    /// The number of the packet, by which a repetition is known.
    case packetID
    /// The number of the type of the device.
    case deviceType
    /// The version of the firmware, the most significant part first.
    case firmwareVersion

    /// A button that was pressed.
    case button
    /// A command to an actuator.
    case command
    /// A dimmer that was turned.
    case dimmer

    /// A binary sensor: on.
    case genericBoolean
    /// Power: on.
    case hasPower
    /// An opening: open.
    case opening
    /// The battery: low.
    case batteryLow
    /// The battery: charging.
    case batteryCharging
    /// Carbon monoxide: detected.
    case carbonMonoxide
    /// The temperature: cold.
    case cold
    /// The connection: there.
    case connectivity
    /// A door: open.
    case door
    /// The door of a garage: open.
    case garageDoor
    /// Gas: detected.
    case gasDetected
    /// The temperature: hot.
    case heat
    /// Light: detected.
    case light
    /// A lock: unlocked.
    case lock
    /// The moisture: wet.
    case wet
    /// Motion: detected.
    case motion
    /// The device: moving.
    case moving
    /// Occupancy: detected.
    case occupancy
    /// A plug: plugged in.
    case plug
    /// Presence: home.
    case presence
    /// A problem: there.
    case problem
    /// The device: running.
    case running
    /// Safety: safe.
    case safety
    /// Smoke: detected.
    case smoke
    /// Sound: detected.
    case sound
    /// Tampering: detected.
    case tamper
    /// Vibration: detected.
    case vibration
    /// A window: open.
    case window
}
