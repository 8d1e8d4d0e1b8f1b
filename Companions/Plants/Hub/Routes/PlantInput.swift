import HubKit
import PlantsEngine

/// What a request wants a plant to be, checked by the engine's rules.
struct PlantInput: Decodable, Sendable {
    var name: String?
    var place: String?
    var art: String?
    var limits: LimitsInput?
    var sensors: [String]?
    var virtual: Bool?

    struct LimitsInput: Decodable, Sendable { var low, high: Double }

    /// The most sensors in one pot.
    static let mostSensors = 8

    func checkedName() throws -> String? {
        guard let name else { return nil }
        let trimmed = name.trimmingSpaces
        do throws(PlantRules.Failure) {
            try PlantRules.check(name: trimmed.utf8.span)
        } catch {
            throw switch error {
            case .nameEmpty: Problem.field("name", "A plant needs a name, such as Basil.")
            case .nameTooLong: Problem.field("name", "A name has at most \(PlantRules.longestName) characters.")
            default: Problem.field("name", "A name is one line of text.")
            }
        }
        return trimmed
    }

    func checkedPlace() throws -> String? {
        guard let place else { return nil }
        let trimmed = place.trimmingSpaces
        do throws(PlantRules.Failure) {
            try PlantRules.check(place: trimmed.utf8.span)
        } catch {
            throw Problem.field("place", "A place is one line of at most \(PlantRules.longestPlace) characters.")
        }
        return trimmed
    }

    func checkedArt() throws -> PlantArt? {
        guard let art else { return nil }
        guard let known = PlantArt(rawValue: art) else {
            let all = PlantArt.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.field("art", "There is no drawing “\(art)”. There are: \(all).")
        }
        return known
    }

    func checkedLimits() throws -> MoistureLimits? {
        guard let limits else { return nil }
        do throws(PlantRules.Failure) {
            try PlantRules.check(low: limits.low, high: limits.high)
        } catch {
            guard error != .limitOutOfRange else {
                throw Problem.field("limits", "Limits are numbers from 0 to 100.")
            }
            throw Problem.field(
                "limits", "The upper limit has to be at least \(Int(PlantRules.leastSpan)) above the lower one.")
        }
        return MoistureLimits(low: limits.low, high: limits.high)
    }

    func checkedSensors() throws -> [String]? {
        guard let sensors else { return nil }
        guard sensors.count <= Self.mostSensors else {
            throw Problem.field("sensors", "A plant has at most \(Self.mostSensors) sensors.")
        }
        return sensors
    }
}

extension PlantArt {
    /// The drawing that a name suggests.
    init(suggestedBy name: String) {
        let lower = name.lowercased()
        self = Self.allCases.first { lower.contains($0.rawValue) } ?? (lower.contains("chili") ? .chilli : .monstera)
    }
}
