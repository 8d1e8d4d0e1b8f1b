/// A row of the table of objects: the property that an object is a value of, and how its bytes say it.
///
/// The rows are those of bthome.io/format as of April 2026. Each property has one unit here: the factors of 0x40, in
/// millimetres there, and of 0x48, in millilitres there, are those of metres and litres.
struct BTHomeField {
    /// The form of the bytes.
    enum Form: Equatable {
        /// A number of so many bytes, little-endian, and its factor in millionths.
        case unsigned(Int, Int64)
        /// A number of so many bytes in two's complement, little-endian, and its factor in millionths.
        case signed(Int, Int64)
        /// A byte that is nought or not.
        case flag
        /// A version of so many bytes, the most significant last.
        case version(Int)
        /// Bytes after their count.
        case counted
        /// A byte that says how a button was pressed.
        case button
        /// A byte with the length of arguments, an operation, and the arguments.
        case command
        /// A byte that says in which direction, and the number of steps.
        case dimmer
    }

    let property: BTHomeProperty
    let form: Form

    init(_ property: BTHomeProperty, _ form: Form) {
        self.property = property
        self.form = form
    }

    /// The row of an object; nil for an identifier that the table does not have.
    static func row(_ id: UInt8) -> BTHomeField? {
        switch id {
        case 0x00: BTHomeField(.packetID, .unsigned(1, 1_000_000))
        case 0x01: BTHomeField(.battery, .unsigned(1, 1_000_000))
        case 0x02: BTHomeField(.temperature, .signed(2, 10_000))
        case 0x03: BTHomeField(.humidity, .unsigned(2, 10_000))
        case 0x04: BTHomeField(.pressure, .unsigned(3, 10_000))
        case 0x05: BTHomeField(.illuminance, .unsigned(3, 10_000))
        case 0x06: BTHomeField(.massInKilograms, .unsigned(2, 10_000))
        case 0x07: BTHomeField(.massInPounds, .unsigned(2, 10_000))
        case 0x08: BTHomeField(.dewPoint, .signed(2, 10_000))
        case 0x09: BTHomeField(.count, .unsigned(1, 1_000_000))
        case 0x0A: BTHomeField(.energy, .unsigned(3, 1_000))
        case 0x0B: BTHomeField(.power, .unsigned(3, 10_000))
        case 0x0C: BTHomeField(.voltage, .unsigned(2, 1_000))
        case 0x0D: BTHomeField(.particles2Point5, .unsigned(2, 1_000_000))
        case 0x0E: BTHomeField(.particles10, .unsigned(2, 1_000_000))
        case 0x0F: BTHomeField(.genericBoolean, .flag)
        case 0x10: BTHomeField(.hasPower, .flag)
        case 0x11: BTHomeField(.opening, .flag)
        case 0x12: BTHomeField(.carbonDioxide, .unsigned(2, 1_000_000))
        case 0x13: BTHomeField(.volatileOrganicCompounds, .unsigned(2, 1_000_000))
        case 0x14: BTHomeField(.moisture, .unsigned(2, 10_000))
        case 0x15: BTHomeField(.batteryLow, .flag)
        case 0x16: BTHomeField(.batteryCharging, .flag)
        case 0x17: BTHomeField(.carbonMonoxide, .flag)
        case 0x18: BTHomeField(.cold, .flag)
        case 0x19: BTHomeField(.connectivity, .flag)
        case 0x1A: BTHomeField(.door, .flag)
        case 0x1B: BTHomeField(.garageDoor, .flag)
        case 0x1C: BTHomeField(.gasDetected, .flag)
        case 0x1D: BTHomeField(.heat, .flag)
        case 0x1E: BTHomeField(.light, .flag)
        case 0x1F: BTHomeField(.lock, .flag)
        case 0x20: BTHomeField(.wet, .flag)
        case 0x21: BTHomeField(.motion, .flag)
        case 0x22: BTHomeField(.moving, .flag)
        case 0x23: BTHomeField(.occupancy, .flag)
        case 0x24: BTHomeField(.plug, .flag)
        case 0x25: BTHomeField(.presence, .flag)
        case 0x26: BTHomeField(.problem, .flag)
        case 0x27: BTHomeField(.running, .flag)
        case 0x28: BTHomeField(.safety, .flag)
        case 0x29: BTHomeField(.smoke, .flag)
        case 0x2A: BTHomeField(.sound, .flag)
        case 0x2B: BTHomeField(.tamper, .flag)
        case 0x2C: BTHomeField(.vibration, .flag)
        case 0x2D: BTHomeField(.window, .flag)
        case 0x2E: BTHomeField(.humidity, .unsigned(1, 1_000_000))
        case 0x2F: BTHomeField(.moisture, .unsigned(1, 1_000_000))
        case 0x3A: BTHomeField(.button, .button)
        case 0x3B: BTHomeField(.command, .command)
        case 0x3C: BTHomeField(.dimmer, .dimmer)
        case 0x3D: BTHomeField(.count, .unsigned(2, 1_000_000))
        case 0x3E: BTHomeField(.count, .unsigned(4, 1_000_000))
        case 0x3F: BTHomeField(.rotation, .signed(2, 100_000))
        case 0x40: BTHomeField(.distance, .unsigned(2, 1_000))
        case 0x41: BTHomeField(.distance, .unsigned(2, 100_000))
        case 0x42: BTHomeField(.duration, .unsigned(3, 1_000))
        case 0x43: BTHomeField(.current, .unsigned(2, 1_000))
        case 0x44: BTHomeField(.speed, .unsigned(2, 10_000))
        case 0x45: BTHomeField(.temperature, .signed(2, 100_000))
        case 0x46: BTHomeField(.ultravioletIndex, .unsigned(1, 100_000))
        case 0x47: BTHomeField(.volume, .unsigned(2, 100_000))
        case 0x48: BTHomeField(.volume, .unsigned(2, 1_000))
        case 0x49: BTHomeField(.volumeFlowRate, .unsigned(2, 1_000))
        case 0x4A: BTHomeField(.voltage, .unsigned(2, 100_000))
        case 0x4B: BTHomeField(.gas, .unsigned(3, 1_000))
        case 0x4C: BTHomeField(.gas, .unsigned(4, 1_000))
        case 0x4D: BTHomeField(.energy, .unsigned(4, 1_000))
        case 0x4E: BTHomeField(.volume, .unsigned(4, 1_000))
        case 0x4F: BTHomeField(.water, .unsigned(4, 1_000))
        case 0x50: BTHomeField(.timestamp, .unsigned(4, 1_000_000))
        case 0x51: BTHomeField(.acceleration, .unsigned(2, 1_000))
        case 0x52: BTHomeField(.gyroscope, .unsigned(2, 1_000))
        case 0x53: BTHomeField(.text, .counted)
        case 0x54: BTHomeField(.raw, .counted)
        case 0x55: BTHomeField(.volumeStorage, .unsigned(4, 1_000))
        case 0x56: BTHomeField(.conductivity, .unsigned(2, 1_000_000))
        case 0x57: BTHomeField(.temperature, .signed(1, 1_000_000))
        case 0x58: BTHomeField(.temperature, .signed(1, 350_000))
        case 0x59: BTHomeField(.count, .signed(1, 1_000_000))
        case 0x5A: BTHomeField(.count, .signed(2, 1_000_000))
        case 0x5B: BTHomeField(.count, .signed(4, 1_000_000))
        case 0x5C: BTHomeField(.power, .signed(4, 10_000))
        case 0x5D: BTHomeField(.current, .signed(2, 1_000))
        case 0x5E: BTHomeField(.direction, .unsigned(2, 10_000))
        case 0x5F: BTHomeField(.precipitation, .unsigned(2, 100_000))
        case 0x60: BTHomeField(.channel, .unsigned(1, 1_000_000))
        case 0x61: BTHomeField(.rotationalSpeed, .unsigned(2, 1_000_000))
        case 0x62: BTHomeField(.speed, .signed(4, 1))
        case 0x63: BTHomeField(.acceleration, .signed(4, 1))
        case 0x64: BTHomeField(.lightLevel, .unsigned(1, 1_000_000))
        case 0x65: BTHomeField(.settingsRevision, .unsigned(1, 1_000_000))
        case 0xF0: BTHomeField(.deviceType, .unsigned(2, 1_000_000))
        case 0xF1: BTHomeField(.firmwareVersion, .version(4))
        case 0xF2: BTHomeField(.firmwareVersion, .version(3))
        default: nil
        }
    }
}
