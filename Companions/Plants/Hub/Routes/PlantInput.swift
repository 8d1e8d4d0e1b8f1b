import HubKit
import PlantsEngine

/// A plant in a request, checked by the engine's rules.
struct PlantInput: Decodable, Sendable {
    var name: String?
    var place: String?
    var art: String?
    var limits: LimitsInput?
    var sensors: [String]?
    var virtual: Bool?
    /// The Latin name of a kind, which brings its limits where none are given; empty for none.
    var kind: String?
    /// The limits besides moisture, all of them: one that is left out is none.
    var likes: LikesInput?
    /// The weeks between two fertilisings while it grows; 0 for never.
    var fertiliseWeeks: Int?
    /// The years between two repottings; 0 for never.
    var repotYears: Int?

    struct LimitsInput: Decodable, Sendable { var low, high: Double }

    struct RangeInput: Decodable, Sendable { var low, high: Double? }
    struct LikesInput: Decodable, Sendable { var temperature, light, dailyLight, conductivity: RangeInput? }

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

    /// Checks the kind.
    ///
    /// - Returns: nil where the request says nothing of it.
    func checkedKind() throws -> PlantKind?? {
        guard let kind else { return nil }
        guard !kind.isEmpty else { return .some(nil) }
        guard let known = PlantKind.all.first(where: { $0.latin == kind }) else {
            throw Problem.field(
                "kind", "There is no kind of plant called “\(kind)” here. Choose one from the list, or none.")
        }
        return known
    }

    func checkedLikes() throws -> PlantLikes? {
        guard let likes else { return nil }
        var checked = PlantLikes()
        for (quantity, range) in [
            (LimitedQuantity.temperature, likes.temperature), (.light, likes.light), (.dailyLight, likes.dailyLight),
            (.conductivity, likes.conductivity),
        ] {
            guard let range, range.low != nil || range.high != nil else { continue }
            do throws(PlantRules.Failure) {
                try PlantRules.check(quantity, low: range.low, high: range.high)
            } catch {
                guard error == .limitOutOfRange else {
                    throw Problem.field("likes", "The upper limit has to be above the lower one.")
                }
                throw switch quantity {
                case .temperature: Problem.field("likes", "Limits of temperature are from -20 to 50 degrees.")
                case .light: Problem.field("likes", "Limits of brightness are from 0 to 150,000 lux.")
                case .dailyLight: Problem.field("likes", "Limits of a day’s light are from 0 to 65 mol.")
                case .conductivity: Problem.field("likes", "Limits of conductivity are from 0 to 10,000 µS/cm.")
                }
            }
            checked[quantity] = PlantLikes.Limits(low: range.low, high: range.high)
        }
        return checked
    }

    /// Checks the weeks between two fertilisings.
    ///
    /// - Returns: nil where the request says nothing of it, and nil within for never.
    func checkedFertiliseWeeks() throws -> Int?? {
        guard let fertiliseWeeks else { return nil }
        guard (0...52).contains(fertiliseWeeks) else {
            throw Problem.field("fertiliseWeeks", "Fertilise every 1 to 52 weeks, or 0 for never.")
        }
        return .some(fertiliseWeeks == 0 ? nil : fertiliseWeeks)
    }

    /// Checks the years between two repottings.
    ///
    /// - Returns: nil where the request says nothing of it, and nil within for never.
    func checkedRepotYears() throws -> Int?? {
        guard let repotYears else { return nil }
        guard (0...10).contains(repotYears) else {
            throw Problem.field("repotYears", "Repot every 1 to 10 years, or 0 for never.")
        }
        return .some(repotYears == 0 ? nil : repotYears)
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
