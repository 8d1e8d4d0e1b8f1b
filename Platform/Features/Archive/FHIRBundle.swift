import Crypto
import Foundation
import HubKit
import Localization
import Storage

/// A bundle of what one person did and what was planned for them, in FHIR R4 (HL7 FHIR 4.0.1): a `Patient`, an `Observation` for
/// each thing that was done, a `CarePlan` for each plan.
///
/// What it is of stands in words (`code.text`): no code of a terminology says that a household counted it. The resources are
/// written one by one, so that ten years of practice are never in memory at once.
struct FHIRBundle {
    /// Quantities have the units of UCUM (FHIR R4, 2.24.0.6).
    private static let unitSystem = "http://unitsofmeasure.org"
    /// The system of an identifier that is a URI itself (FHIR R4, 2.24.0.7).
    private static let uriSystem = "urn:ietf:rfc:3986"

    private let person: PersonRecord
    private let localized: Localizer
    private let sink: ([UInt8]) throws -> Void
    private let encoder: JSONEncoder

    /// Begins a bundle with the person's `Patient`.
    ///
    /// - Parameters:
    ///   - madeAt: the current time, in UTC milliseconds.
    ///   - sink: receives the bytes.
    init(
        of person: PersonRecord, madeAt: Int64, in localized: Localizer, sink: @escaping ([UInt8]) throws -> Void
    ) throws {
        (self.person, self.localized, self.sink) = (person, localized, sink)
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try sink(
            Array(
                #"{"resourceType":"Bundle","type":"collection","timestamp":"\#(Self.instant(madeAt))","entry":[\#n"#
                    .utf8))
        let patient = Patient(
            identifier: [identifier("person", person.id)], name: [.init(text: person.name)],
            birthDate: person.birthYear.map { String($0) })
        try write(Entry(fullUrl: Self.urn("person", person.id), resource: patient))
    }

    /// Adds an observation of a companion.
    func add(_ observation: HealthRecord.Observation, of companion: String) throws {
        let (start, end) = (Self.instant(observation.startedAt), Self.instant(observation.endedAt))
        let isMoment = observation.startedAt == observation.endedAt
        let resource = Observation(
            identifier: [identifier(companion, observation.id)], code: text(observation.title), subject: subject,
            effectiveDateTime: isMoment ? start : nil, effectivePeriod: isMoment ? nil : .init(start: start, end: end),
            component: observation.components.map { component in
                var resource = Component(code: text(component.title))
                switch component.value {
                case .quantity(let number, let unit, let code):
                    resource.valueQuantity = .init(
                        value: number, unit: unit.isEmpty ? nil : unit, system: Self.unitSystem, code: code)
                case .flag(let flag): resource.valueBoolean = flag
                case .text(let text): resource.valueString = text
                }
                return resource
            })
        try next(Entry(fullUrl: Self.urn(companion, observation.id), resource: resource))
    }

    /// Adds a plan of a companion.
    ///
    /// - Parameter today: the current local day by the person's clock, since 1 January 1970.
    func add(_ plan: HealthRecord.Plan, of companion: String, today: Int32) throws {
        let id = "plan/\(plan.id)"
        let resource = CarePlan(
            identifier: [identifier(companion, id)],
            status: plan.lastDay.map { $0 < today } ?? false ? "completed" : "active",
            title: localized.string(plan.title), description: localized.string(plan.description), subject: subject,
            period: .init(
                start: "\(CivilDate(day: plan.firstDay))", end: plan.lastDay.map { "\(CivilDate(day: $0))" }),
            author: .init(display: plan.author))
        try next(Entry(fullUrl: Self.urn(companion, id), resource: resource))
    }

    /// Ends the bundle.
    func finish() throws { try sink(Array("\n]}\n".utf8)) }

    private func next(_ entry: Entry<some Encodable>) throws {
        try sink(Array(",\n".utf8))
        try write(entry)
    }

    private func write(_ entry: Entry<some Encodable>) throws { try sink(Array(try encoder.encode(entry))) }

    private func text(_ title: LocalizedText) -> Concept { Concept(text: localized.string(title)) }

    private var subject: Reference { Reference(reference: Self.urn("person", person.id), display: person.name) }

    private func identifier(_ kind: String, _ id: String) -> Identifier {
        Identifier(system: Self.uriSystem, value: Self.urn(kind, id))
    }

    /// The UUID of something, the same in each export, so that a program that reads two knows it again: made of a hash (RFC 9562,
    /// 5.8).
    static func urn(_ kind: String, _ id: String) -> String {
        var bytes = Array(SHA256.hash(data: Data("\(kind)/\(id)".utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = bytes.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }
        let groups = [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]].map { $0.joined() }
        return "urn:uuid:\(groups.joined(separator: "-"))"
    }

    private static func instant(_ time: Int64) -> String { Date(milliseconds: time).formatted(.iso8601) }
}

// MARK: Resources, by their names in FHIR

private struct Entry<Resource: Encodable>: Encodable {
    var fullUrl: String
    var resource: Resource
}

private struct Identifier: Encodable { var system, value: String }

private struct Reference: Encodable { var reference, display: String? }

private struct Concept: Encodable { var text: String }

private struct Period: Encodable { var start, end: String? }

private struct Quantity: Encodable {
    var value: Double
    var unit: String?
    var system, code: String
}

private struct Patient: Encodable {
    struct Name: Encodable { var text: String }
    let resourceType = "Patient"
    var identifier: [Identifier]
    var name: [Name]
    var birthDate: String?
}

private struct Component: Encodable {
    var code: Concept
    var valueQuantity: Quantity?
    var valueBoolean: Bool?
    var valueString: String?
}

private struct Observation: Encodable {
    let resourceType = "Observation"
    let status = "final"
    var identifier: [Identifier]
    var code: Concept
    var subject: Reference
    var effectiveDateTime: String?
    var effectivePeriod: Period?
    var component: [Component]
}

private struct CarePlan: Encodable {
    let resourceType = "CarePlan"
    let intent = "plan"
    var identifier: [Identifier]
    var status, title, description: String
    var subject: Reference
    var period: Period
    var author: Reference
}
