import Advertisements
import BrushingEngine
import Wire

extension FuzzTarget {
    static var advertisements: [FuzzTarget] {
        [
            FuzzTarget("advertisements", longestInput: 300, seeds: advertisementSeeds) {
                bytes throws(BrokenProperty) in try checkAdvertisement(bytes)
            },
            FuzzTarget("miflora", longestInput: 600, seeds: historySeeds) {
                bytes throws(BrokenProperty) in try checkHistory(bytes)
            },
            FuzzTarget("oralb", longestInput: 600, seeds: brushSeeds) {
                bytes throws(BrokenProperty) in try checkBrush(bytes)
            },
        ]
    }

    /// A cipher that is none, so that inputs are found that it opens.
    private struct Sum: BlockCipher {
        func encrypt(_ block: inout CipherBlock) {
            block.high = block.high &* 3 &+ block.low
            block.low ^= block.high
        }
    }

    /// A byte of choices, six of the sender, and the structures: BTHome, MiBeacon, the pink plant sensor, and both of ATC.
    private static let advertisementSeeds: [[UInt8]] = [
        [0, 0xA4, 0xC1, 0x38, 0x8D, 0x18, 0xB2, 10, 0x16, 0xD2, 0xFC, 0x40, 2, 0xC4, 9, 3, 0xBF, 0x13],
        [
            1, 0x54, 0x48, 0xE6, 0x8F, 0x80, 0xA5, 18, 0x16, 0xD2, 0xFC, 0x41, 0xA4, 0x72, 0x66, 0xC9, 0x5F, 0x73, 0,
            0x11, 0x22, 0x33, 0x78, 0x23, 0x72, 0x14,
        ],
        [
            0, 0xC4, 0x7C, 0x8D, 0x6B, 0x4F, 0xF3, 20, 0x16, 0x95, 0xFE, 0x71, 0x20, 0x98, 0, 0x12, 0xF3, 0x4F, 0x6B,
            0x8D, 0x7C, 0xC4, 0x0D, 4, 0x10, 2, 0xC4, 0,
        ],
        [0, 1, 2, 3, 4, 5, 6, 12, 0x16, 0x50, 0xFD, 0x0E, 0, 0x6E, 1, 0x34, 0xA4, 0x28, 0, 0x5B],
        [
            0, 0xA4, 0xC1, 0x38, 2, 0x83, 0xF4, 16, 0x16, 0x1A, 0x18, 0xA4, 0xC1, 0x38, 2, 0x83, 0xF4, 0, 0xA2, 0x2F,
            0x5F, 0x0B, 0xF8, 0x19,
        ],
        [1, 1, 2, 3, 4, 5, 6, 14, 0x16, 0x1A, 0x18, 0x11, 0xD6, 3, 0xFB, 0xFA, 0x7B, 0x6D, 0xFB, 0x1E, 0x26, 0xFD],
    ]

    /// Whatever a device sends, measurements are plausible, and without a key nothing is opened.
    private static func checkAdvertisement(_ bytes: [UInt8]) throws(BrokenProperty) {
        var input = InputBytes(bytes)
        let hasKey = input.byte() & 1 != 0
        var sender: UInt64 = 0
        for _ in 0..<6 { sender = sender << 8 | UInt64(input.byte()) }
        let address = BluetoothAddress(value: sender)
        let advertisement = Advertisement(address: address, structures: input.remainder())
        try require(BluetoothAddress(text: address.text.span) == address, "an address is read as it is written")
        let decoded: SensorAdvertisement?
        do throws(AdvertisementError) {
            decoded = try SensorAdvertisement.decoded(advertisement, cipher: hasKey ? Sum() : nil)
        } catch {
            return
        }
        guard let sensor = decoded else { return }
        for measurement in sensor.measurements {
            try require(measurement.quantity.plausible.contains(measurement.thousandths), "a value is plausible")
        }
        try require(sensor.protection != .opened || hasKey, "nothing is opened without a key")
        try require(sensor.counter == nil || sensor.protection == .opened, "a counter was proved")
        let isReadable = sensor.protection == .plain || sensor.protection == .opened
        try require(isReadable || sensor.measurements.isEmpty, "what was not read measured nothing")
    }

    /// The answers for a history of two entries, each after its count.
    private static let historySeeds: [[UInt8]] = [
        [0, 2, 2, 0, 4, 9, 0xEF, 0x20, 0, 16, 0x70, 0xE7, 0x20, 0, 0xEB, 0, 0, 0x5A, 0, 0, 0, 0x15, 0xB3, 0, 0, 0],
        [1, 7, 0x63, 0x28, 0x33, 0x2E, 0x31, 0x2E, 0x39],
        [2, 10, 0xEA, 0, 0, 0xAB, 0, 0, 0, 0x15, 0xB2, 0],
    ]

    /// Whatever a sensor answers, the reading ends, and entries are not of the future.
    private static func checkHistory(_ bytes: [UInt8]) throws(BrokenProperty) {
        var input = InputBytes(bytes)
        let choices = input.byte()
        var reading = HistoryReading(
            newerThan: choices & 2 != 0 ? input.milliseconds() : .min, limit: Int(choices >> 2),
            clears: choices & 1 != 0)
        let now: Int64 = 1_795_244_400_000
        var steps = 0
        while reading.step != .finished {
            switch reading.step {
            case .write: reading.written()
            case .read:
                let answer = input.run()
                _ = try? MiFloraDevice(answer: answer)
                _ = try? MiFloraValues(answer: answer)
                reading.read(answer, at: now)
            case .finished: break
            }
            steps += 1
            try require(steps <= 200_000, "the reading ends")
        }
        for entry in reading.entries { try require(entry.at <= now, "no entry is of the future") }
        try require(reading.entries.count + reading.putAside <= Int(reading.length ?? 0), "no entry is invented")
    }

    /// Advertisements of a brush, each after the time that passed and its count.
    private static let brushSeeds: [[UInt8]] = [
        [
            0, 0, 11, 4, 0x27, 0x0D, 3, 0x32, 0, 0, 1, 1, 0, 4, 10, 100, 11, 4, 0x27, 0x0D, 3, 0xB2, 0, 1, 1, 1, 3, 4,
            10, 100, 11, 4, 0x27, 0x0D, 2, 0x32, 0, 2, 1, 1, 6, 4,
        ]
    ]

    /// Whatever a brush sends and whenever, brushings begin and end in turn, and their parts are not more than the whole.
    private static func checkBrush(_ bytes: [UInt8]) throws(BrokenProperty) {
        var input = InputBytes(bytes)
        var session = OralBSession()
        var now: Int64 = 1_795_244_400_000
        var isBrushing = false
        while !input.isEmpty {
            now = now.plusClamped(input.milliseconds())
            var events = session.passed(to: now)
            if let brush = try? OralBAdvertisement(manufacturerData: input.run(most: 12)) {
                events += session.heard(brush, at: now)
            }
            for event in events {
                switch event {
                case .began, .resumed:
                    try require(!isBrushing, "one brushing at a time")
                    isBrushing = true
                case .ended(let brushing, _):
                    try require(isBrushing, "a brushing ends once")
                    isBrushing = false
                    try require(brushing.sectorSeconds.reduce(0, +) <= brushing.seconds, "sectors are parts")
                    try require(brushing.highPressureSeconds <= brushing.seconds, "high pressure is a part")
                }
            }
            try require((session.brushing != nil) == isBrushing, "the events say what goes on")
        }
    }
}
