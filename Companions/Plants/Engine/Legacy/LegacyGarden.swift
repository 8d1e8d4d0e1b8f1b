import Wire

/// The plants of one client of the original app, and the answers to its requests.
///
/// A pure state machine: requests in, messages out. Sensor readings are looked up by the caller, because in the hub a
/// legacy sensor id stands for one of its devices.
public struct LegacyGarden: Equatable, Sendable {
    /// The number of plants of a client, at most.
    public static let mostPlants = 7
    /// The length of a name in Unicode scalars, as Python counts, at most.
    public static let longestName = 15

    /// The plants, in the order in which they were added; nil if the client never had any, which the original answers
    /// differently from a garden that was emptied.
    public var plants: [LegacyPlant]?

    /// Whether successful add, delete and edit requests are answered, with `RES_addNewPlant` and so on and the plant's
    /// name as payload. The original sends nothing, and its app would take such an answer for an error: keep this off
    /// for legacy clients.
    public var answersWhenAllIsWell = false

    /// Creates a garden.
    public init(plants: [LegacyPlant]? = nil) {
        self.plants = plants
    }

    /// The outcome of a request.
    public struct Outcome: Equatable, Sendable {
        /// The messages for `rpi/fromrpi`, in order.
        public var answers: [[UInt8]] = []
        /// Whether the garden has changed and has to be stored.
        public var changed = false
        /// The error among the answers, if there is one.
        public var error: LegacyErrorTag?
    }

    /// Handles a request of this garden's client.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - reading: returns the current value of a sensor, or nil if it does not answer.
    public mutating func handle(
        _ request: LegacyRequest, reading: (_ sensor: [UInt8]) -> LegacySensorValue?
    ) -> Outcome {
        var outcome = Outcome()
        switch request.operation {
        case .plantSensorData: sensorData(request, reading, &outcome)
        case .numPlants: count(request, &outcome)
        case .plantInfoOnStartup: info(request, &outcome)
        case .addNewPlant: add(request, &outcome)
        case .deletePlant: delete(request, &outcome)
        case .editPlant: edit(request, &outcome)
        }
        return outcome
    }

    // MARK: - Questions

    /// Answers a request for `all`, or for one plant by name. A sensor that does not answer is reported once, and the
    /// others are read nevertheless.
    private func sensorData(
        _ request: LegacyRequest, _ reading: ([UInt8]) -> LegacySensorValue?, _ outcome: inout Outcome
    ) {
        let all = matches(request.payload.span, "all")
        var found = false
        for plant in plants ?? [] where all || plant.name == request.payload {
            found = true
            for sensor in plant.sensorIDs {
                if let value = reading(sensor), let tenths = value.moistureTenths {
                    respond(
                        LegacyAnswer.sensorData(value, tenths: tenths, plant: plant.name, sensor: sensor), request,
                        &outcome)
                } else if outcome.error == nil {
                    fail(.invalidPlantSensorID, request, &outcome)
                }
            }
        }
        if !found, !all || plants == nil { fail(.noPlantDataToRequest, request, &outcome) }
    }

    private func count(_ request: LegacyRequest, _ outcome: inout Outcome) {
        guard let plants else { return fail(.noPlantDataToRequest, request, &outcome) }
        var text = TextWriter()
        text.write(Int64(plants.count))
        respond(text.bytes, request, &outcome)
    }

    private func info(_ request: LegacyRequest, _ outcome: inout Outcome) {
        let text = request.payload.span
        guard let plants, let index = integer(text.extracting(trimmedRange(text))), index >= 0, index < plants.count
        else { return fail(.noPlantDataToRequest, request, &outcome) }
        respond(LegacyAnswer.plantInfo(plants[Int(index)]), request, &outcome)
    }

    // MARK: - Changes

    private mutating func add(_ request: LegacyRequest, _ outcome: inout Outcome) {
        guard let (name, sensors) = Self.nameAndSensors(request.payload) else {
            return fail(.addPlantSensorNumIssue, request, &outcome)
        }
        var grown = plants ?? []
        guard grown.count < Self.mostPlants else { return fail(.tooManyPlants, request, &outcome) }
        guard !grown.contains(where: { $0.name == name }) else { return fail(.plantNameTaken, request, &outcome) }
        guard scalarCount(name.span) <= Self.longestName else { return fail(.plantNameTooLong, request, &outcome) }
        let plant = LegacyPlant(name: name, sensors: sensors)
        // A plant without sensors makes the original's app divide by zero.
        guard !plant.sensorIDs.isEmpty else { return fail(.addPlantSensorNumIssue, request, &outcome) }
        grown.append(plant)
        plants = grown
        changed(name, request, &outcome)
    }

    private mutating func delete(_ request: LegacyRequest, _ outcome: inout Outcome) {
        guard var left = plants else { return fail(.noPlantDataToRequest, request, &outcome) }
        guard let index = left.firstIndex(where: { $0.name == request.payload }) else {
            return fail(.cannotDeletePlant, request, &outcome)
        }
        left.remove(at: index)
        plants = left
        changed(request.payload, request, &outcome)
    }

    /// Renames a plant by `oldName,newName`; anything after another comma is ignored, as in the original. Unlike the
    /// original this checks the new name's length, as its rules say.
    private mutating func edit(_ request: LegacyRequest, _ outcome: inout Outcome) {
        guard var edited = plants else { return fail(.noPlantDataToRequest, request, &outcome) }
        let names = request.payload.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard names.count > 1 else { return fail(.cannotDeletePlant, request, &outcome) }
        let (oldName, newName) = (Array(names[0]), Array(names[1]))
        if oldName == newName { return }
        guard !edited.contains(where: { $0.name == newName }) else { return fail(.plantNameTaken, request, &outcome) }
        guard scalarCount(newName.span) <= Self.longestName else {
            return fail(.plantNameTooLong, request, &outcome)
        }
        guard let index = edited.firstIndex(where: { $0.name == oldName }) else {
            return fail(.cannotDeletePlant, request, &outcome)
        }
        edited[index].name = newName
        plants = edited
        changed(newName, request, &outcome)
    }

    /// Splits `name--["36"]`. Without `--` it accepts the forms of earlier versions: `||`, `|`, and a single hyphen
    /// right before the list (`aloe-vera` keeps its own).
    static func nameAndSensors(_ payload: [UInt8]) -> (name: [UInt8], sensors: [UInt8])? {
        let separators: [[UInt8]] = [
            [UInt8(ascii: "-"), UInt8(ascii: "-")], [UInt8(ascii: "|"), UInt8(ascii: "|")], [UInt8(ascii: "|")],
        ]
        for separator in separators {
            guard let start = firstIndex(of: separator, in: payload) else { continue }
            return (Array(payload[..<start]), Array(payload[(start + separator.count)...]))
        }
        guard let start = firstIndex(of: [UInt8(ascii: "-"), UInt8(ascii: "[")], in: payload) else { return nil }
        return (Array(payload[..<start]), Array(payload[(start + 1)...]))
    }

    private static func firstIndex(of pattern: [UInt8], in text: [UInt8]) -> Int? {
        guard text.count >= pattern.count else { return nil }
        for start in 0...(text.count - pattern.count)
        where equal(text.span.extracting(start..<start + pattern.count), pattern.span) { return start }
        return nil
    }

    // MARK: - Answers

    private func respond(_ payload: [UInt8], _ request: LegacyRequest, _ outcome: inout Outcome) {
        outcome.answers.append(
            LegacyAnswer.message(to: request.sender, payload: payload, tag: request.operation.response))
    }

    private func changed(_ name: [UInt8], _ request: LegacyRequest, _ outcome: inout Outcome) {
        outcome.changed = true
        if answersWhenAllIsWell { respond(name, request, &outcome) }
    }

    private func fail(_ tag: LegacyErrorTag, _ request: LegacyRequest, _ outcome: inout Outcome) {
        outcome.error = tag
        outcome.answers.append(LegacyAnswer.error(tag, to: request.sender, about: request.message))
    }
}
