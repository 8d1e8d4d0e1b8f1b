import HubKit

/// A quantity of an announced sensor that a device of the household can take over.
struct MatchedSensor: Sendable, Equatable {
    var sensor: AnnouncedSensor
    var kind: String
    var quantity: String
    var factor: Double
    var offset: Double
    var template: ValueTemplate
}

/// The finding whether an announced sensor can be taken over.
enum SensorMatch: Sendable {
    case matched(MatchedSensor)
    /// It measures what no companion keeps.
    case otherQuantity
    /// It measures in a unit that is not understood.
    case unknownUnit(String)
    /// Its values are said by a template that is not understood.
    case unknownTemplate(ValueTemplate.Fault)

    /// Finds the quantity by words first: what a program calls `soil_moisture` is moisture, whatever class it has.
    init(_ sensor: AnnouncedSensor, _ kinds: [AdoptedKind]) {
        let words = Self.words(of: sensor)
        for kind in kinds {
            let quantity =
                kind.quantities.first { $0.words.contains { words.contains($0) } }
                ?? kind.quantities.first { quantity in
                    sensor.deviceClass.map { quantity.deviceClasses.contains($0) } ?? false
                }
                ?? kind.quantities.first { quantity in
                    // Only a unit that nothing else is measured in.
                    guard let unit = sensor.unit, sensor.deviceClass == nil else { return false }
                    let owners = kind.quantities.filter { $0.units.contains { $0.name == unit } }
                    return owners.count == 1 && owners[0].name == quantity.name
                }
            guard let quantity else { continue }
            // A voltage, or a signal's strength, is none of these whatever it is called.
            guard sensor.deviceClass.map({ quantity.deviceClasses.contains($0) || Self.isVague($0) }) ?? true else {
                continue
            }
            guard
                let unit = sensor.unit.map({ name in quantity.units.first { $0.name == name } }) ?? quantity.units.first
            else {
                self = .unknownUnit(sensor.unit ?? "")
                return
            }
            do throws(ValueTemplate.Fault) {
                let template = try sensor.template.map { text throws(ValueTemplate.Fault) in try ValueTemplate(text) }
                self = .matched(
                    MatchedSensor(
                        sensor: sensor, kind: kind.kind, quantity: quantity.name, factor: unit.factor,
                        offset: unit.offset, template: template ?? .bare))
            } catch {
                self = .unknownTemplate(error)
            }
            return
        }
        self = .otherQuantity
    }

    /// Whether a device class is given to soil's moisture too: older programs have none of its own.
    private static func isVague(_ deviceClass: String) -> Bool {
        deviceClass == "humidity" || deviceClass == "moisture"
    }

    /// The words that may name what a sensor measures: the last member of its template, the end of its id, the level of its topic.
    private static func words(of sensor: AnnouncedSensor) -> Set<String> {
        var words: Set<String> = []
        if let template = sensor.template,
            let last = template.split(whereSeparator: { !$0.isLetter && $0 != "_" && !$0.isNumber })
                .dropFirst().first(where: { $0 != "value_json" && $0 != "value" })
        {
            words.insert(last.lowercased())
        } else {
            let levels = sensor.stateTopic.split(separator: "/").map { $0.lowercased() }
            if let last = levels.last {
                words.insert(last == "state" && levels.count > 1 ? levels[levels.count - 2] : last)
            }
        }
        let name = sensor.name.lowercased().split(separator: " ")
        if name.count == 1 { words.insert(String(name[0])) }
        if name.count > 1 { words.insert(name.suffix(2).joined(separator: "_")) }
        return words
    }
}
