import Wire

/// A sound of one channel with 16 bits per sample, and its file: WAVE (Microsoft, Multimedia Programming Interface and
/// Data Specifications 1.0, 1991).
public struct Sound: Equatable, Sendable {
    /// The reason why a file cannot be read.
    public enum Fault: Error, Equatable, Sendable {
        /// The file is not a WAVE file.
        case notWave
        /// The file has no samples.
        case empty
        /// The file has samples of an unsupported kind: the number of the format, the bits of a sample.
        case unknownFormat(UInt16, bits: UInt16)
        /// The sample rate is outside of 8,000...192,000.
        case badRate(UInt32)
        /// The sound is longer than allowed.
        case tooLong
    }

    /// The greatest sample rate that is kept; of higher ones, several samples are combined.
    public static var highestRate: UInt32 { 24_000 }

    /// The sample rate, in samples per second.
    public var rate: UInt32
    /// The samples.
    public var samples: [Int16]

    /// Creates a sound.
    ///
    /// - Parameters:
    ///   - rate: the sample rate, above 0.
    ///   - samples: the samples.
    public init(rate: UInt32, samples: [Int16]) {
        self.rate = rate
        self.samples = samples
    }

    /// The duration, in milliseconds.
    public var milliseconds: Int { samples.count * 1_000 / Int(rate) }

    /// Reads a WAVE file of 8, 16, 24 or 32 bits, or of 32-bit floats, with 1 to 8 channels, which are mixed into one.
    ///
    /// A length in the header beyond the end of the file comes from a program that did not know it yet: everything that
    /// is there is read.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - longest: the greatest duration, in milliseconds.
    public init(wave bytes: Span<UInt8>, longest: Int) throws(Fault) {
        guard bytes.count >= 12, Self.has("RIFF", bytes, 0), Self.has("WAVE", bytes, 8) else { throw .notWave }
        var format: WaveFormat?
        var place = 12
        while place + 8 <= bytes.count {
            let length = Int(Self.uint32(bytes, place + 4))
            let content = place + 8..<min(place + 8 + length, bytes.count)
            if Self.has("fmt ", bytes, place) {
                format = try WaveFormat(bytes.extracting(content))
            } else if Self.has("data", bytes, place) {
                guard let format else { throw .notWave }
                self = try format.read(bytes.extracting(content), longest: longest)
                return
            }
            // A piece of an odd length is followed by a byte of nothing.
            place = content.upperBound + length % 2
        }
        throw format == nil ? .notWave : .empty
    }

    /// Appends the sound as a WAVE file.
    public func encodeWave(into sink: inout some ByteSink) {
        let count = UInt32(clamping: samples.count * 2)
        sink.put(text: "RIFF")
        sink.put(count &+ 36)
        sink.put(text: "WAVEfmt ")
        sink.put(UInt32(16))
        sink.put(UInt16(1))
        sink.put(UInt16(1))
        sink.put(rate)
        sink.put(rate &* 2)
        sink.put(UInt16(2))
        sink.put(UInt16(16))
        sink.put(text: "data")
        sink.put(count)
        for sample in samples { sink.put(sample) }
    }

    static func has(_ letters: StaticString, _ bytes: Span<UInt8>, _ place: Int) -> Bool {
        for index in 0..<letters.utf8CodeUnitCount where bytes[place + index] != letters.utf8Start[index] {
            return false
        }
        return true
    }

    static func uint16(_ bytes: Span<UInt8>, _ place: Int) -> UInt16 {
        UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
    }

    static func uint32(_ bytes: Span<UInt8>, _ place: Int) -> UInt32 {
        UInt32(uint16(bytes, place)) | UInt32(uint16(bytes, place + 2)) << 16
    }
}

/// The encoding of a file's samples.
private struct WaveFormat {
    private let isFloat: Bool
    private let channels: Int
    private let rate: UInt32
    private let bits: UInt16

    init(_ bytes: Span<UInt8>) throws(Sound.Fault) {
        guard bytes.count >= 16 else { throw .notWave }
        var number = Sound.uint16(bytes, 0)
        bits = Sound.uint16(bytes, 14)
        // WAVE_FORMAT_EXTENSIBLE: the format is the beginning of a longer number.
        if number == 0xFFFE, bytes.count >= 26 { number = Sound.uint16(bytes, 24) }
        isFloat = number == 3
        channels = Int(Sound.uint16(bytes, 2))
        rate = Sound.uint32(bytes, 4)
        guard isFloat ? bits == 32 : number == 1 && [8, 16, 24, 32].contains(bits), (1...8).contains(channels) else {
            throw .unknownFormat(number, bits: bits)
        }
        guard (8_000...192_000).contains(rate) else { throw .badRate(rate) }
    }

    func read(_ bytes: Span<UInt8>, longest: Int) throws(Sound.Fault) -> Sound {
        let size = Int(bits) / 8
        let count = bytes.count / (size * channels)
        guard count > 0 else { throw .empty }
        guard count <= longest * Int(rate) / 1_000 else { throw .tooLong }
        let merged = Int((rate + Sound.highestRate - 1) / Sound.highestRate)
        var samples: [Int16] = []
        samples.reserveCapacity(count / merged + 1)
        var place = 0
        while place < count {
            let end = min(place + merged, count)
            var sum: Int64 = 0
            for index in place * channels..<end * channels { sum += Int64(sample(bytes, index * size)) }
            samples.append(Int16(clamping: sum / Int64((end - place) * channels)))
            place = end
        }
        return Sound(rate: rate / UInt32(merged), samples: samples)
    }

    /// A sample as one of 16 bits.
    private func sample(_ bytes: Span<UInt8>, _ place: Int) -> Int32 {
        switch bits {
        // Of 8 bits without a sign, as the format has it.
        case 8: return (Int32(bytes[place]) - 128) << 8
        case 16: return Int32(Int16(bitPattern: Sound.uint16(bytes, place)))
        case 24: return Int32(Int16(bitPattern: Sound.uint16(bytes, place + 1)))
        default:
            let word = Sound.uint32(bytes, place)
            guard isFloat else { return Int32(bitPattern: word) >> 16 }
            let value = Float(bitPattern: word)
            guard value.isFinite else { return 0 }
            return Int32(max(-1, min(1, value)) * 32_767)
        }
    }
}
