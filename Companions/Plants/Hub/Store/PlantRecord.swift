import PlantsEngine
import Storage

/// A plant of the household.
struct PlantRecord: Storage.TableRecord {
    static let databaseTableName = "plant"
    var id: String
    var household: String
    var name: String
    var place: String
    var art: PlantArt
    /// Percent, as `high`.
    var low: Double
    var high: Double
    /// UTC milliseconds, as every `At` of the records.
    var createdAt: Int64
    /// A removed plant keeps its waterings, and is shown nowhere.
    var removedAt: Int64?
    /// The time up to which the curve has been searched for waterings.
    var examinedTo: Int64 = 0
    /// The kind of the plant: the Latin name of a ``PlantKind``.
    var kind: String?
    /// The limits besides moisture.
    var likes = PlantLikes()
    /// The time until which nobody is reminded of it.
    var snoozedUntil: Int64?
    /// The weeks between two fertilisings while it grows; nil where nobody wants to be told.
    var fertiliseWeeks: Int?
    var repotYears: Int?

    var limits: MoistureLimits { MoistureLimits(low: low, high: high) }
}

/// The limits that a plant likes besides those of moisture, as they are stored and as pages get them. A quantity that
/// is nil has no limits.
struct PlantLikes: Codable, Sendable, Equatable {
    struct Limits: Codable, Sendable, Equatable {
        var low, high: Double?

        init(low: Double?, high: Double?) { (self.low, self.high) = (low, high) }
    }

    /// The limits in degrees Celsius, lux at a day’s brightest, mol a square metre and day, and microsiemens per
    /// centimetre.
    var temperature, light, dailyLight, conductivity: Limits?

    subscript(quantity: LimitedQuantity) -> Limits? {
        get {
            switch quantity {
            case .temperature: temperature
            case .light: light
            case .dailyLight: dailyLight
            case .conductivity: conductivity
            }
        }
        set {
            switch quantity {
            case .temperature: temperature = newValue
            case .light: light = newValue
            case .dailyLight: dailyLight = newValue
            case .conductivity: conductivity = newValue
            }
        }
    }

    /// The quantities that have limits.
    var quantities: [LimitedQuantity] { LimitedQuantity.allCases.filter { self[$0] != nil } }
}

extension LimitedQuantity {
    /// The quantity that a sensor measures for it.
    var measured: String {
        switch self {
        case .temperature: "temperature"
        case .light, .dailyLight: "light"
        case .conductivity: "conductivity"
        }
    }
}

/// The drawings that a plant can have.
enum PlantArt: String, Codable, Sendable, CaseIterable {
    case fern, basil, monstera, chilli, lemon
}

/// A watering of a plant: seen in its curve, or noted by a person.
struct WateringRecord: Storage.TableRecord {
    static let databaseTableName = "watering"

    enum Source: String, Codable, Sendable, CaseIterable { case sensor, hand }

    var id: String
    var household: String
    var plant: String
    var at: Int64
    var by: Source
    var person: String?
    /// The confidence, 0 to 1, of one that the curve shows.
    var confidence: Double?
    /// The moisture in percent before it, where the curve shows it.
    var levelBefore: Double?
    var levelAfter: Double?
    /// The time at which somebody said that it was none.
    var undoneAt: Int64?
}

/// A virtual sensor's own part: enough to play its whole life again.
struct VirtualPlantRecord: Storage.TableRecord {
    static let databaseTableName = "virtual_plant"
    var device: String
    var household: String
    var seed: Int64
    var art: PlantArt
    var startedAt: Int64
    /// The time from which on the sensor says nothing, as sensors do.
    var silentFrom: Int64?
    /// The time from which on nobody waters it but who says so; nil while the simulated household goes on caring for
    /// it.
    var caredUntil: Int64?
    /// The time from which on its sensor works as it should.
    var troubledUntil: Int64
}
