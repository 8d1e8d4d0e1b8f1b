import PlantsEngine
import Wire

extension FuzzTarget {
    static var plants: [FuzzTarget] {
        [
            FuzzTarget(
                "sensor-message",
                dictionary: ["readings\\x0a", "moisture", "\\\"value\\\":", "\\\"at\\\":1795220639132", "NaN"],
                seeds: [
                    "moisture\n41.5", "moisture\n{\"value\": 41.5, \"at\": 1795220639132}", "sap-flow_2\n-0.5",
                    "readings\n{\"moisture\": 41.5, \"temperature\": null, \"at\": 1795220639132}", "light\n1.25e4",
                    "battery\n{\"unit\":[1,{\"a\":null}],\"value\":80}",
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkSensorMessage(bytes) },
            FuzzTarget(
                "legacy-dialogue",
                dictionary: LegacyOperation.allCases.map { "operation:\($0.request)" }
                    + ["ID:0;", "sender:iPhone;", "receiver:Host-RPI3B+;", "payload:", "[\\\"36\\\"]", "--", "||"],
                seeds: LegacyOperation.allCases.map {
                    Array("ID:0;sender:iPhone;receiver:Host-RPI3B+;payload:Fern--[\"36\"];operation:\($0.request)".utf8)
                }
            ) { bytes throws(BrokenProperty) in try checkDialogue(bytes) },
            FuzzTarget(
                "legacy-file", dictionary: ["\\\"Sensors\\\"", "\\\"Name\\\"", "\\\"[\\\\\\\"36\\\\\\\"]\\\""],
                seeds: [Array(#"[{"Sensors": "[\"36\"]", "Name": "Fern"}, {"Name": "b", "Sensors": ["37"]}]"#.utf8)]
            ) { bytes throws(BrokenProperty) in try checkGardenFile(bytes) },
            FuzzTarget(
                "picture",
                dictionary: [
                    "\\xff\\xe1\\x00\\x0f", "Exif\\x00\\x00", "ICC_PROFILE\\x00", "\\xff\\xda", "\\xff\\xd9", "IHDR",
                    "IEND",
                    "eXIf", "caBX", "JFIF\\x00", "JFXX\\x00", "Adobe", "RIFF", "WEBP", "VP8X", "EXIF", "XMP ", "ANMF",
                    "C2PA",
                ],
                seeds: [pictureJPEG, picturePNG, pictureWebP]
            ) { bytes throws(BrokenProperty) in try checkPicture(bytes) },
        ]
    }

    /// With an APP1.
    private static let pictureJPEG: [UInt8] = [
        0xFF, 0xD8, 0xFF, 0xE1, 0, 4, 1, 2, 0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2, 3, 0xFF,
        0, 4,
        0xFF, 0xD9,
    ]

    /// With an eXIf.
    private static var picturePNG: [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        for name in ["IHDR", "eXIf", "IEND"] {
            let content: [UInt8] = name == "IHDR" ? [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0] : []
            bytes += [0, 0, 0, UInt8(content.count)]
            bytes += Array(name.utf8)
            bytes += content
            bytes += [0, 0, 0, 0]
        }
        return bytes
    }

    /// With an EXIF.
    private static var pictureWebP: [UInt8] {
        var bytes = Array("RIFF".utf8)
        bytes += [0x20, 0, 0, 0]
        bytes += Array("WEBPVP8X".utf8)
        bytes += [10, 0, 0, 0, 0x0C, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        bytes += Array("EXIF".utf8)
        bytes += [1, 0, 0, 0, 7, 0]
        return bytes
    }

    /// What is kept is a picture of the same kind, no longer than the file, in which nothing more is to be left out.
    private static func checkPicture(_ input: [UInt8]) throws(BrokenProperty) {
        let picture: PictureFile
        do throws(PictureFile.Failure) {
            picture = try PictureFile(withoutMetadata: input)
        } catch {
            return
        }
        try require(picture.bytes.count <= input.count, "nothing is added")
        let again = try succeeds("what is kept is a picture") { () throws(PictureFile.Failure) in
            try PictureFile(withoutMetadata: picture.bytes)
        }
        try require(again == picture, "nothing is left to be left out")
    }

    private struct Readings: MeasurementCollector {
        var values: [(quantity: [UInt8], value: Double, at: Int64?)] = []

        mutating func collect(quantity: Span<UInt8>, value: Double, at: Int64?) {
            var name: [UInt8] = []
            for index in quantity.indices { name.append(quantity[index]) }
            values.append((name, value, at))
        }
    }

    /// The topic's last level, a line feed, the payload: nothing but named, finite, plausible values come of it.
    private static func checkSensorMessage(_ input: [UInt8]) throws(BrokenProperty) {
        let now: Int64 = 1_795_220_700_000
        let parts = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
        guard parts.count == 2 else { return }
        let tail = parts[0], payload = parts[1]
        var readings = Readings()
        do throws(SensorMessageError) {
            try SensorMessage.decode(tail: tail.span, payload: payload.span, now: now, into: &readings)
        } catch {
            try require(!error.message().isEmpty, "a refusal says why")
            try require(error.message().count <= 400, "a refusal is short")
        }
        try require(readings.values.count <= SensorMessage.mostReadings, "readings are bounded")
        for reading in readings.values {
            try require(Quantity.isName(reading.quantity.span), "a quantity has a name")
            let plausible = Quantity(name: reading.quantity.span)?.plausible ?? Quantity.plausibleUnknown
            try require(plausible.contains(reading.value), "a value is plausible: \(reading.value)")
            if let at = reading.at {
                let credible = SensorMessage.earliest..<SensorMessage.end
                try require(credible.contains(at), "a time is credible: \(at)")
            }
        }
    }

    /// Lines of an app: what the garden answers is never answered itself, and the garden keeps its limits.
    private static func checkDialogue(_ input: [UInt8]) throws(BrokenProperty) {
        var garden = LegacyGarden()
        for line in input.split(separator: 0x0A).prefix(20) {
            switch LegacyMessage.read(Array(line)) {
            case .ignored: continue
            case .failure(_, let client, let answer):
                try require(!client.isEmpty, "somebody is answered")
                try require(isIgnored(answer), "the host's own words are no question")
            case .request(let request):
                let outcome = garden.handle(request) { $0 == [0x33, 0x36] ? LegacySensorValue(capacitance: 500) : nil }
                try require(outcome.error == nil || !outcome.changed, "an error changes nothing")
                for answer in outcome.answers {
                    try require(isIgnored(answer), "the host's own words are no question")
                }
                let plants = garden.plants ?? []
                try require(plants.count <= LegacyGarden.mostPlants, "plants are bounded")
                try require(Set(plants.map(\.name)).count == plants.count, "no two plants have one name")
                let file = LegacyGardenFile.write(plants)
                try require((try? LegacyGardenFile.read(file)) == plants, "a garden is read as it was written")
            }
        }
    }

    /// As the host's own echo, or as too long: an error repeats a message and its sender, and may be longer than both.
    private static func isIgnored(_ answer: [UInt8]) -> Bool {
        switch LegacyMessage.read(answer) {
        case .ignored(.ownEcho): true
        case .ignored(.tooLong): answer.count > LegacyMessage.longest
        case .ignored, .request, .failure: false
        }
    }

    private static func checkGardenFile(_ input: [UInt8]) throws(BrokenProperty) {
        guard let plants = try? LegacyGardenFile.read(input) else { return }
        try require(plants.count <= LegacyGardenFile.mostPlants, "plants are bounded")
        for plant in plants { _ = plant.sensorIDs }
        let file = LegacyGardenFile.write(plants)
        guard file.count <= LegacyGardenFile.longest else { return }
        try require((try? LegacyGardenFile.read(file)) == plants, "a file is read as it was written")
    }
}
