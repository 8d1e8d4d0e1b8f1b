/// A kind of device that a sensor of another maker can become: what it measures, by the names that such sensors give it.
public struct AdoptedKind: Sendable {
    /// The kind of the device, one of ``Companion/deviceKinds``.
    public var kind: String
    /// The quantities that a device of this kind can take over.
    public var quantities: [AdoptedQuantity]

    /// Creates a kind.
    public init(kind: String, quantities: [AdoptedQuantity]) {
        self.kind = kind
        self.quantities = quantities
    }
}

/// A quantity that is taken over of other makers' sensors, with their units.
public struct AdoptedQuantity: Sendable {
    /// A unit of another maker, and how a value in it becomes one in the quantity's own unit: `value * factor + offset`.
    public struct Unit: Sendable {
        /// The unit as it is announced, such as `°F`.
        public var name: String
        /// The factor.
        public var factor: Double
        /// The summand that is added after it.
        public var offset: Double

        /// Creates a unit.
        public init(_ name: String, factor: Double = 1, offset: Double = 0) {
            self.name = name
            self.factor = factor
            self.offset = offset
        }
    }

    /// The quantity, which is the topic of its readings below the device's own.
    public var name: String
    /// The device classes of Home Assistant that mean it.
    public var deviceClasses: [String]
    /// The last words of a topic, an id or a member's name that mean it where there is no device class, in lower case.
    public var words: [String]
    /// The units that are understood; of a sensor that names none the first.
    public var units: [Unit]

    /// Creates a quantity.
    public init(_ name: String, deviceClasses: [String] = [], words: [String] = [], units: [Unit]) {
        self.name = name
        self.deviceClasses = deviceClasses
        self.words = words
        self.units = units
    }
}
