import PlantsEngine
import PlantsHub
import PlantsVectorLines
import TestInstruments
import Testing

import struct HubKit.SeededRandom

/// Random input by printed seeds, bounded by count: nothing may trap, and what must hold for any input, holds.
@Suite("Random input")
struct FuzzTests {
    static let seeds: [UInt64] = [1, 2, 3, UInt64.random(in: 4...UInt64.max)]

    /// Random changes of a text that is right: most of what breaks parsers is nearly right.
    private func mutated(_ text: String, _ random: inout SeededRandom) -> [UInt8] {
        var bytes = Array(text.utf8)
        let special = Array(";:-|,'\"\\{}[] \t\n\0019eE+.".utf8) + [0x00, 0x80, 0xC3, 0xED, 0xF0, 0xFF]
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.insert(special.randomElement(using: &random) ?? 0, at: place)
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2 where place < bytes.count: bytes[place] = special.randomElement(using: &random) ?? 0
            default: bytes.removeSubrange(place..<min(place + 3, bytes.count))
            }
        }
        return bytes
    }

    @Test("The transaction language never traps, answers only known senders, and keeps its limits", arguments: seeds)
    func transactions(seed: UInt64) {
        print("fuzz seed \(seed)")
        var random = SeededRandom(seed: seed)
        var garden = LegacyGarden()
        let operations =
            LegacyOperation.allCases.map { "\($0.request)" } + ["REQ_plantInfoOnStatup", "ERR_hashLength", "REQ_x"]
        let payloads = ["all", "Fern", "0", "Fern--[\"36\"]", "Basil||[\"37\"]", "Fern,Basil", "a-[\"39\"]", ""]
        for _ in 0..<20_000 {
            let operation = operations.randomElement(using: &random) ?? ""
            let payload = payloads.randomElement(using: &random) ?? ""
            let bytes = mutated(
                "ID:0;sender:iPhone;receiver:Host-RPI3B+;payload:\(payload);operation:\(operation)", &random)
            switch LegacyMessage.read(bytes) {
            case .ignored: continue
            case .failure(_, let client, let answer):
                #expect(!client.isEmpty)
                // What the host says is its own echo when it comes back, and is never answered.
                #expect(LegacyMessage.read(answer) == .ignored(.ownEcho))
            case .request(let request):
                let outcome = garden.handle(request) { $0 == [0x33, 0x36] ? LegacySensorValue(capacitance: 500) : nil }
                for answer in outcome.answers {
                    #expect(
                        LegacyMessage.read(answer) == .ignored(.ownEcho), "\(String(decoding: answer, as: UTF8.self))")
                }
                let plants = garden.plants ?? []
                #expect(plants.count <= LegacyGarden.mostPlants)
                #expect(Set(plants.map { $0.name }).count == plants.count)
                #expect(outcome.error == nil || !outcome.changed)
            }
            let file = LegacyGardenFile.write(garden.plants ?? [])
            if Int.random(in: 0..<50, using: &random) == 0 {
                #expect((try? LegacyGardenFile.read(file)) == garden.plants ?? [])
                if garden.plants?.count == LegacyGarden.mostPlants { garden = LegacyGarden() }
            }
        }
    }

    private struct Readings: MeasurementCollector {
        var values: [(quantity: [UInt8], value: Double, at: Int64?)] = []

        mutating func collect(quantity: Span<UInt8>, value: Double, at: Int64?) {
            values.append(((0..<quantity.count).map { quantity[$0] }, value, at))
        }
    }

    @Test("A sensor's message never traps, and gives nothing but named, finite, plausible values", arguments: seeds)
    func sensorMessages(seed: UInt64) {
        print("fuzz seed \(seed)")
        var random = SeededRandom(seed: seed)
        let now: Int64 = 1_795_220_700_000
        let examples = [
            ("moisture", "41.5"), ("moisture", "{\"value\": 41.5, \"at\": 1795220639132}"),
            ("readings", "{\"moisture\": 41.5, \"temperature\": 21.3, \"at\": 1795220639132}"),
            ("battery", "{\"unit\":[1,{\"a\":null}],\"value\":80}"), ("light", "1.25e4"), ("sap", "-0.5"),
            ("readings", "{\"moisture\":NaN,\"x\":-Infinity,\"at\":\"2026-11-25T20:00:00.5+01:00\"}"),
            ("sensor/soil_moisture/state", "\u{FEFF}\"37.2\"\0"),
        ]
        for _ in 0..<20_000 {
            let (tail, payload) = examples.randomElement(using: &random) ?? ("moisture", "1")
            let tailBytes = Int.random(in: 0..<8, using: &random) == 0 ? mutated(tail, &random) : Array(tail.utf8)
            var readings = Readings()
            let bytes = mutated(payload, &random)
            do throws(SensorMessageError) {
                try SensorMessage.decode(tail: tailBytes.span, payload: bytes.span, now: now, into: &readings)
            } catch {
                #expect(!error.message().isEmpty)
                #expect(error.quantity.count <= 32)
            }
            for reading in readings.values {
                let isName = Quantity.isName(reading.quantity.span)
                #expect(isName)
                let plausible = Quantity(name: reading.quantity.span)?.plausible ?? Quantity.plausibleUnknown
                #expect(plausible.contains(reading.value))
                if let at = reading.at { #expect((SensorMessage.earliest..<SensorMessage.end).contains(at)) }
            }
        }
    }

    @Test("Any line at all is answered by the engine without a trap", arguments: seeds)
    func lines(seed: UInt64) {
        print("fuzz seed \(seed)")
        var random = SeededRandom(seed: seed)
        let inputs = VectorFile.all.filter { $0.name != "curves.txt" }.flatMap { $0.examples.map { $0.input } }
        var engine = EngineVector()
        for _ in 0..<5_000 {
            let input = inputs.randomElement(using: &random) ?? []
            _ = engine.answer(mutated(String(decoding: input, as: UTF8.self), &random))
        }
    }

    @Test("A picture’s file of any bytes never traps, never grows, and has nothing left to leave out", arguments: seeds)
    func pictures(seed: UInt64) throws {
        print("fuzz seed \(seed)")
        var random = SeededRandom(seed: seed)
        let examples = try #require(VectorFile.all.first { $0.name == "pictures.txt" }).examples
        let files = examples.map { Self.hexadecimal($0.input.dropFirst("picture\t".utf8.count)) }
        #expect(files.count > 20)
        var read = 0
        for _ in 0..<20_000 {
            var file = files.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let place = Int.random(in: 0...file.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: file.insert(UInt8.random(in: 0...255, using: &random), at: place)
                case 1: file.insert(contentsOf: [0xFF, UInt8.random(in: 0xC0...0xFF, using: &random)], at: place)
                case 2 where place < file.count: file[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                default: file.removeSubrange(place..<min(place + 3, file.count))
                }
            }
            guard let picture = try? PictureFile(withoutMetadata: file) else { continue }
            read += 1
            #expect(picture.bytes.count <= file.count)
            #expect((try? PictureFile(withoutMetadata: picture.bytes)) == picture)
        }
        #expect(read > 1_000)
    }

    /// Bytes of two digits each, as the vectors have them.
    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> [UInt8] {
        let text = Array(digits)
        return stride(from: 0, to: text.count - 1, by: 2).map { place in
            UInt8(String(decoding: text[place...place + 1], as: UTF8.self), radix: 16) ?? 0
        }
    }
}
