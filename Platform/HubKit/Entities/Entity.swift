import Localization

/// A value or an action that a companion offers to the other programs of a house, such as Home Assistant: a plant's moisture,
/// whether somebody has brushed, a button that notes a watering.
public struct Entity: Sendable, Equatable {
    /// The thing or person that entities belong to. Other programs show it as one device.
    public struct Owner: Sendable, Hashable {
        /// The id, unique within the companion: `A-Z`, `a-z`, `0-9`, `_` and `-`.
        public var id: String
        /// The name that the household gave it.
        public var name: String
        /// The kind of thing, in words.
        public var kind: LocalizedText
        /// The person whose data its entities are, of whom adults decide whether they appear; nil for things.
        public var person: String?

        /// Creates an owner.
        public init(id: String, name: String, kind: LocalizedText.Sentence, person: String? = nil) {
            self.id = id
            self.name = name
            self.kind = LocalizedText(kind)
            self.person = person
        }
    }

    /// The form of an entity: what it shows or does.
    public enum Kind: Sendable, Equatable {
        /// A number.
        case measurement(Measurement)
        /// A few words.
        case words
        /// Yes or no; `isProblem` for what somebody should see to.
        case flag(isProblem: Bool)
        /// An action without a value.
        case button
        /// A number that can be set, between bounds and in steps.
        case number(ClosedRange<Double>, step: Double, unit: String)
        /// A program's version, whose newest is another one where there is an update; the address is of the page about it.
        case update(latest: String, page: String?)
        /// An event, which automations can begin with: a message on a topic.
        case trigger(EntityTrigger)
    }

    /// The quantity that a number measures.
    public struct Measurement: Sendable, Equatable {
        /// The unit, such as `%` or `°C`; empty for a count.
        public var unit: String
        /// The quantity by the name of Home Assistant's device classes, such as `moisture`; nil where it has none.
        public var deviceClass: String?
        /// The decimals that are worth showing.
        public var decimals: Int

        /// Creates a measurement.
        public init(unit: String, deviceClass: String? = nil, decimals: Int = 0) {
            self.unit = unit
            self.deviceClass = deviceClass
            self.decimals = decimals
        }
    }

    /// The state of an entity.
    public enum State: Sendable, Equatable {
        /// The value cannot be known: its sensor is silent.
        case unavailable
        /// The value is not known yet.
        case unknown
        /// A number.
        case number(Double)
        /// Words.
        case words(LocalizedText)
        /// Yes or no.
        case flag(Bool)
        /// The state of an action, which has none.
        case none
    }

    /// A series of readings: what one device measures of one quantity.
    public struct Series: Sendable, Hashable {
        /// The id of the device.
        public var device: String
        /// The quantity.
        public var quantity: String

        /// Creates a series.
        public init(device: String, quantity: String) {
            self.device = device
            self.quantity = quantity
        }
    }

    /// The owner.
    public var owner: Owner
    /// The id, unique within its owner, of the same letters.
    public var id: String
    /// The title beside the owner's name.
    public var title: LocalizedText
    /// The form.
    public var kind: Kind
    /// The state.
    public var state: State
    /// The series whose newest reading is the state, so that it follows each one at once; nil for what is judged or counted.
    public var series: Series?
    /// More values that belong to the state, such as the bounds of an estimate, by their names in English.
    public var attributes: [String: String]
    /// Whether it is about the device rather than about what it is for, such as a battery.
    public var isDiagnostic: Bool

    /// Creates an entity.
    public init(
        of owner: Owner, _ id: String, _ title: LocalizedText, _ kind: Kind, _ state: State = .none,
        series: Series? = nil, attributes: [String: String] = [:], isDiagnostic: Bool = false
    ) {
        self.owner = owner
        self.id = id
        self.title = title
        self.kind = kind
        self.state = state
        self.series = series
        self.attributes = attributes
        self.isDiagnostic = isDiagnostic
    }
}

/// An event as a message that the companion publishes through ``HubContext/messages``.
public struct EntityTrigger: Sendable, Equatable {
    /// The topic of the companion's message, which is handed on as an event of its owner's to those who may hear that.
    public var topic: String
    /// The event's name in automations, such as `watered`.
    public var event: String

    /// Creates a trigger.
    public init(topic: String, event: String) {
        self.topic = topic
        self.event = event
    }
}

/// An action that another program asks of an entity.
public struct EntityCommand: Sendable {
    /// The household.
    public var household: String
    /// The id of the owner.
    public var owner: String
    /// The id of the entity.
    public var entity: String
    /// The value, of one that has a value.
    public var value: Double?

    /// Creates a command.
    public init(household: String, owner: String, entity: String, value: Double? = nil) {
        self.household = household
        self.owner = owner
        self.entity = entity
        self.value = value
    }
}
