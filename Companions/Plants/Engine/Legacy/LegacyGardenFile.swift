import Wire

/// A user's file of the original: `[{"Sensors": "[\"36\"]", "Name": "Fern"}]`.
public enum LegacyGardenFile {
    /// The largest file that is read, in bytes.
    public static let longest = 65_536
    /// The most plants that are read from a file; the original writes at most seven.
    public static let mostPlants = 100

    /// Reads a file.
    ///
    /// Leniently: members in any order, unknown ones passed over, `Sensors` as the original's text, as the
    /// documentation's bare id, or as a real array.
    public static func read(_ bytes: [UInt8]) throws(LegacyGardenFileError) -> [LegacyPlant] {
        do throws(JSONError) {
            return try plants(bytes)
        } catch {
            switch error.kind {
            case .tooLarge: throw .tooLarge
            case .unexpectedByte where error.offset < 0: throw .notAGarden
            default: throw .notJSON(offset: error.offset)
            }
        }
    }

    /// Encodes a file as Python's `json.dump` does.
    public static func write(_ plants: [LegacyPlant]) -> [UInt8] {
        var text = TextWriter()
        text.write("[")
        for (index, plant) in plants.enumerated() {
            if index > 0 { text.write(", ") }
            plant.write(to: &text)
        }
        text.write("]")
        return text.bytes
    }

    /// A marker error for valid JSON that is not a garden: its offset is that of no text.
    private static var notAGarden: JSONError { JSONError(.unexpectedByte, at: -1) }

    private static func plants(_ bytes: [UInt8]) throws(JSONError) -> [LegacyPlant] {
        let text = bytes.span
        var reader = JSONReader(depthLimit: 8, sizeLimit: longest)
        var plants: [LegacyPlant] = []
        guard try reader.next(in: text) == .arrayStart else { throw notAGarden }
        loop: while true {
            switch try reader.next(in: text) {
            case .objectStart:
                guard plants.count < mostPlants else { throw notAGarden }
                plants.append(try plant(&reader, text))
            case .arrayEnd: break loop
            default: throw notAGarden
            }
        }
        guard try reader.next(in: text) == .end else { throw notAGarden }
        return plants
    }

    private static func plant(_ reader: inout JSONReader, _ text: Span<UInt8>) throws(JSONError) -> LegacyPlant {
        var name: [UInt8]?
        var sensors: [UInt8]?
        while case .key(let key) = try reader.next(in: text) {
            let value = try reader.next(in: text)
            let isName = matches(text.extracting(key), "Name")
            let isSensors = matches(text.extracting(key), "Sensors")
            if isName || isSensors, case .string(let range) = value {
                let bytes = JSONReader.unescaped(range, in: text)
                if isName { name = bytes } else { sensors = bytes }
            } else if isSensors, value == .arrayStart {
                let start = reader.offset - 1
                try reader.skipValue(after: value, in: text)
                var copy = TextWriter()
                copy.write(bytes: text.extracting(start..<reader.offset))
                sensors = copy.bytes
            } else {
                try reader.skipValue(after: value, in: text)
            }
        }
        guard let name, let sensors else { throw notAGarden }
        return LegacyPlant(name: name, sensors: sensors)
    }
}

/// The reason why a file is not a garden of the original.
public enum LegacyGardenFileError: Error, Equatable, Sendable {
    /// The file is larger than ``LegacyGardenFile/longest``.
    case tooLarge
    /// The file is not JSON, at that byte.
    case notJSON(offset: Int)
    /// The file is JSON, but not an array of objects with `Name` and `Sensors`.
    case notAGarden
}
