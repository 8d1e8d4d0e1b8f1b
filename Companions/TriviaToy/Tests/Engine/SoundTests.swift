import TestInstruments
import Testing
import TriviaToyEngine
import Wire

@Suite("Sound, and what a virtual toy says")
struct SoundTests {
    /// A WAVE file of these bytes of samples.
    private static func wave(
        _ data: [UInt8], format: UInt16 = 1, channels: UInt16 = 1, rate: UInt32 = 16_000, bits: UInt16 = 16,
        length: UInt32? = nil
    ) -> [UInt8] {
        var bytes = Array("RIFF\u{0}\u{0}\u{0}\u{0}WAVEfmt ".utf8)
        bytes.put(UInt32(16))
        bytes.put(format)
        bytes.put(channels)
        bytes.put(rate)
        bytes.put(rate * UInt32(channels) * UInt32(bits) / 8)
        bytes.put(channels * bits / 8)
        bytes.put(bits)
        bytes += Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
        bytes += Array("data".utf8)
        bytes.put(length ?? UInt32(data.count))
        return bytes + data
    }

    private static func fault(_ bytes: [UInt8], longest: Int = 1_000) -> Sound.Fault? {
        do throws(Sound.Fault) { _ = try Sound(wave: bytes.span, longest: longest) } catch { return error }
        return nil
    }

    @Test("What is written is read again")
    func roundTrip() throws {
        let sound = Sound(rate: 22_050, samples: [0, 1, -1, .max, .min])
        var bytes: [UInt8] = []
        sound.encodeWave(into: &bytes)
        #expect(try Sound(wave: bytes.span, longest: 1_000) == sound)
    }

    @Test("Samples of every kind become the same of 16 bits")
    func kinds() throws {
        var float: [UInt8] = []
        float.put(Float(-0.5).bitPattern)
        let files: [[UInt8]] = [
            Self.wave([64], bits: 8), Self.wave([0, 0xC0]), Self.wave([9, 0, 0xC0], bits: 24),
            Self.wave([9, 9, 0, 0xC0], bits: 32), Self.wave(float, format: 3, bits: 32),
        ]
        for file in files {
            let samples = try Sound(wave: file.span, longest: 1_000).samples
            #expect(samples.count == 1 && abs(Int(samples[0]) + 16_384) <= 1)
        }
        let stereo = try Sound(wave: Self.wave([0, 0, 0, 0x10], channels: 2).span, longest: 1_000)
        #expect(stereo.samples == [0x0800])
    }

    @Test("More than 24,000 samples a second become fewer, and the sound lasts as long")
    func rates() throws {
        let sound = try Sound(
            wave: Self.wave([UInt8](repeating: 1, count: 96_000), rate: 48_000).span, longest: 1_000)
        #expect(sound.rate == 24_000 && sound.milliseconds == 1_000 && sound.samples.allSatisfy { $0 == 0x0101 })
    }

    @Test("The head of a program that did not know the length is no mistake, and a byte too many is none either")
    func streamed() throws {
        #expect(
            try Sound(wave: Self.wave([1, 2, 3, 4, 5], length: 0x7FFF_F000).span, longest: 1_000).samples.count == 2)
    }

    @Test("What is no sound, what is none that is read, and what is too long are told apart")
    func faults() {
        #expect(Self.fault([]) == .notWave)
        #expect(Self.fault(Array("RIFF0000WAVE".utf8)) == .notWave)
        #expect(Self.fault(Self.wave([])) == .empty)
        #expect(Self.fault(Self.wave([1, 2], format: 2)) == .unknownFormat(2, bits: 16))
        #expect(Self.fault(Self.wave([1, 2], channels: 0)) == .unknownFormat(1, bits: 16))
        #expect(Self.fault(Self.wave([1, 2], rate: 0)) == .badRate(0))
        #expect(Self.fault(Self.wave([UInt8](repeating: 0, count: 32_002))) == .tooLong)
    }

    @Test("Whatever comes, a sound or a fault comes out", arguments: UInt64(1)...20)
    func anything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var bytes = Self.wave([1, 2, 3, 4])
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0...8, using: &random))
            _ = try? Sound(wave: bytes.span, longest: 1_000)
        }
    }

    @Test("What a virtual toy says crosses the wire as it was said")
    func spoken() throws {
        let text = Array("\u{201C}Caf\u{E9}\u{201D} \u{1F600}".utf8)
        let report = SpokenReport(
            fact: 7, voice: 8, volume: -12, wordsPerMinute: 150, language: .castilianSpanish, piece: 2)
        var bytes: [UInt8] = []
        try report.encode(text: text.span, into: &bytes)
        let read = try SpokenReport(decoding: bytes.span)
        #expect(Array(bytes[read.text]) == text)
        var expected = report
        expected.text = read.text
        #expect(read == expected && bytes.count == SpokenReport.headerSize + text.count)
        for count in 0..<SpokenReport.headerSize {
            let part = Array(bytes.prefix(count))
            #expect(throws: MessageFault.cutOff(count: count)) { try SpokenReport(decoding: part.span) }
        }
        let broken = bytes + [0xFF]
        #expect(throws: MessageFault.textNotUTF8) { try SpokenReport(decoding: broken.span) }
        let long = Array(bytes.prefix(SpokenReport.headerSize)) + [UInt8](repeating: 65, count: 2_047)
        #expect(throws: MessageFault.textTooLong(bytes: 2_047)) { try SpokenReport(decoding: long.span) }
    }

    @Test("The command that names the hub is read as it was written, and refused where it cannot be")
    func hubCommand() {
        func encoded(_ host: String, _ port: UInt16, _ device: String, _ token: String) -> [UInt8] {
            var data: [UInt8] = []
            HubCommand.encode(
                host: Array(host.utf8).span, port: port, device: Array(device.utf8).span, token: Array(token.utf8).span,
                into: &data)
            return data
        }
        let data = encoded("linden.local", 1_883, "k7fq2m9x", "secret")
        guard let command = HubCommand(decoding: data.span) else {
            Issue.record("it was not read")
            return
        }
        #expect(String(decoding: data[command.host], as: UTF8.self) == "linden.local")
        #expect(String(decoding: data[command.device], as: UTF8.self) == "k7fq2m9x")
        #expect(String(decoding: data[command.token], as: UTF8.self) == "secret" && command.port == 1_883)
        func isRead(_ data: [UInt8]) -> Bool { HubCommand(decoding: data.span) != nil }
        for count in 0..<data.count { #expect(!isRead(Array(data.prefix(count)))) }
        for bad in [
            encoded("", 1, "d", "t"), encoded("h", 0, "d", "t"), encoded("h", 1, "", "t"),
            encoded("h", 1, String(repeating: "d", count: 33), "t"),
            encoded("h", 1, "d", String(repeating: "t", count: 65)),
        ] {
            #expect(!isRead(bad))
        }
    }
}
