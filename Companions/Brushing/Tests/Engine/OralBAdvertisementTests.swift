import BrushingEngine
import TestInstruments
import Testing

@Suite("The advertisements of an Oral-B tooth brush")
struct OralBAdvertisementTests {
    /// A capture and what Bluetooth-Devices/oralb-ble, tests/test_parser.py, reads of it.
    struct Capture: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var model: OralBModel
        var state: OralBState
        var seconds: Int
        var mode: OralBMode
        var sector: UInt8?
        var sectors: UInt8? = 4
        var progress: UInt8? = 0
        var isHigh = false
        var button = false
        var power = false
        var testDescription: String { name }
    }

    static let captures = [
        Capture(
            name: "ORALB_DATA_1", bytes: [2, 1, 8, 2, 32, 0, 0, 1, 1, 0, 4], model: .triumph, state: .idle, seconds: 0,
            mode: .dailyClean, sector: 1),
        Capture(
            name: "ORALB_DATA_2", bytes: [2, 1, 8, 3, 0, 0, 0, 1, 1, 0, 4], model: .triumph, state: .running,
            seconds: 0,
            mode: .dailyClean, sector: 1),
        Capture(
            name: "ORALB_DATA_3", bytes: [2, 1, 8, 2, 0, 0, 1, 1, 1, 3, 4], model: .triumph, state: .idle, seconds: 1,
            mode: .dailyClean, sector: 1, progress: 3),
        Capture(
            name: "ORALB_IO_SERIES_6", bytes: [6, 0x32, 0x6B, 2, 0x72, 0, 0, 1, 1, 0, 4], model: .iO, state: .idle,
            seconds: 0, mode: .sensitive, sector: 1),
        Capture(
            name: "ORALB_IO_SERIES_8", bytes: [6, 0x31, 0x19, 8, 0x72, 0, 0, 0, 7, 0, 0], model: .iO,
            state: .selectionMenu, seconds: 0, mode: .dailyClean, sector: 4, sectors: nil),
        Capture(
            name: "ORALB_IO_SERIES_4", bytes: [7, 0x34, 0x0C, 3, 0x38, 0, 0, 2, 1, 0, 4], model: .iO4, state: .running,
            seconds: 0, mode: .gumCare, sector: 1, power: true),
        Capture(
            name: "ORALB_IO_SERIES_5_HA_133934", bytes: [7, 0x35, 0x1E, 9, 0x36, 0, 5, 5, 1, 0, 4], model: .iO5,
            state: .off, seconds: 5, mode: .superSensitive, sector: 1, button: true),
        Capture(
            name: "ORALB_D701_GENIUS_9000", bytes: [3, 0x21, 0x0C, 2, 0x30, 0, 6, 1, 1, 0x14, 4], model: .genius,
            state: .idle, seconds: 6, mode: .dailyClean, sector: 1, progress: 20),
        Capture(
            name: "ORALB_D701_GENIUS_8000_HIGH_PRESSURE", bytes: [3, 0x22, 0x0C, 3, 0xC0, 1, 0x30, 7, 4, 0x3C, 4],
            model: .genius, state: .running, seconds: 108, mode: .turbo, sector: 4, progress: 60, isHigh: true),
        Capture(
            name: "ORALB_IO_SERIES_9", bytes: [6, 0x31, 0x16, 8, 0x72, 0, 0, 3, 2, 0, 4], model: .iO,
            state: .selectionMenu, seconds: 0, mode: .whitening, sector: 2),
        Capture(
            name: "ORALB_D601", bytes: [3, 0x56, 4, 3, 0x30, 0, 0, 1, 1, 0, 4], model: .pro, state: .running,
            seconds: 0,
            mode: .dailyClean, sector: 1),
        Capture(
            name: "ORALB_D700_NORMAL_PRESSURE", bytes: [4, 0x27, 0x0D, 3, 0x32, 0, 0x1B, 2, 1, 0x5A, 4],
            model: .smartSeriesD700, state: .running, seconds: 27, mode: .sensitive, sector: 1, progress: 90),
        Capture(
            name: "ORALB_PRO_SERIES_6000, of 9 bytes", bytes: [1, 2, 5, 3, 0, 0, 8, 4, 1], model: .triumph,
            state: .running, seconds: 8, mode: .whitening, sector: 1, sectors: nil, progress: nil),
        Capture(
            name: "ORALB_TRIUMPH_V2", bytes: [2, 2, 6, 2, 32, 0, 0, 1, 15, 0, 4], model: .triumph, state: .idle,
            seconds: 0, mode: .dailyClean, sector: 4),
        Capture(
            name: "ORALB_D21_TRIZONE_5000_HA_142787", bytes: [1, 0x41, 5, 3, 0, 0, 0, 1, 1], model: .smartSeriesD21,
            state: .running, seconds: 0, mode: .dailyClean, sector: 1, sectors: nil, progress: nil),
        Capture(
            name: "ORALB_IO_SERIES_10_SECTOR_5", bytes: [6, 0x32, 0x6E, 3, 0x52, 1, 0x14, 0, 5, 0, 6], model: .iO,
            state: .running, seconds: 80, mode: .dailyClean, sector: 5, sectors: 6),
        Capture(
            name: "ORALB_IO_SERIES_10_SECTOR_6, the last one", bytes: [6, 0x32, 0x6E, 3, 0x52, 1, 0x28, 0, 7, 0, 6],
            model: .iO, state: .running, seconds: 100, mode: .dailyClean, sector: 6, sectors: 6),
        Capture(
            name: "ORALB_IO_SERIES_10_SECTOR_4_FLAGGED", bytes: [6, 0x32, 0x6E, 3, 0x52, 1, 0, 0, 0x0C, 0, 6],
            model: .iO, state: .running, seconds: 60, mode: .dailyClean, sector: 4, sectors: 6),
        Capture(
            name: "state 10 and mode 11", bytes: [6, 0x31, 0x32, 10, 0x72, 0, 5, 11, 1, 0, 6], model: .iO,
            state: .statistics, seconds: 5, mode: .smartAdapt, sector: 1, sectors: 6),
        // custom-components/ble_monitor, test/test_oral_b.py.
        Capture(
            name: "SmartSeries 7000", bytes: [3, 0x21, 0x0B, 3, 0x28, 4, 0x11, 7, 0x37, 0x38, 4], model: .genius,
            state: .running, seconds: 257, mode: .turbo, sector: 4, progress: 56, power: true),
    ]

    @Test("The captures of public parsers are read as they read them", arguments: captures)
    func capture(_ capture: Capture) throws {
        let brush = try OralBAdvertisement(manufacturerData: capture.bytes)
        #expect(brush.model == capture.model)
        #expect(brush.state == capture.state)
        #expect(brush.seconds == capture.seconds)
        #expect(brush.mode == capture.mode)
        #expect(brush.sectorNumber == capture.sector)
        #expect(brush.sectors == capture.sectors)
        #expect(brush.sectorProgress == capture.progress)
        #expect(brush.isPressureHigh == capture.isHigh)
        #expect(brush.isButtonPressed == capture.button)
        #expect(brush.isPowerButtonPressed == capture.power)
        #expect(brush.version == capture.bytes[0])
        #expect(brush.firmware == capture.bytes[2])
    }

    // PRESSURE of oralb-ble: of a pressed button it does not say whether the pressure is high, so that stands apart here.
    @Test(
        "High pressure and pressed buttons are bits of one byte",
        arguments: [
            (0, false), (16, false), (50, false), (82, false), (112, false), (114, false), (144, true), (146, true),
            (178, true), (192, true), (240, true), (242, true),
        ] as [(UInt8, Bool)])
    func pressure(byte: UInt8, isHigh: Bool) throws {
        let brush = try OralBAdvertisement(manufacturerData: [2, 1, 8, 3, byte, 0, 0, 1, 1])
        #expect(brush.isPressureHigh == isHigh)
        #expect(!brush.isButtonPressed && !brush.isPowerButtonPressed)
    }

    @Test("A length that no brush sends is refused", arguments: [0, 1, 8, 10])
    func lengths(count: Int) {
        #expect(throws: OralBError.length(count)) {
            try OralBAdvertisement(manufacturerData: Array(repeating: 3, count: count))
        }
    }

    @Test("Bytes that a later brush may add change nothing")
    func longer() throws {
        let bytes: [UInt8] = [2, 1, 8, 3, 0, 0, 1, 1, 1, 3, 4]
        #expect(
            try OralBAdvertisement(manufacturerData: bytes + [9, 9]) == OralBAdvertisement(manufacturerData: bytes))
    }

    @Test(
        "A state, mode or model that nobody knows is kept as its number, and sectors 254 and 255 are the last and none")
    func unknown() throws {
        let brush = try OralBAdvertisement(manufacturerData: [9, 200, 8, 77, 0, 255, 255, 99, 254, 3, 0])
        #expect(brush.model == .unknown)
        #expect(brush.state == .other(77))
        #expect(brush.mode == .other(99))
        #expect(brush.seconds == 15_555)
        #expect(brush.sector == .last)
        #expect(brush.sectorNumber == 4)
        let none = try OralBAdvertisement(manufacturerData: [9, 200, 8, 77, 0, 0, 0, 99, 255, 3, 0])
        #expect(none.sector == .none)
        #expect(none.sectorNumber == nil)
        let io = try OralBAdvertisement(manufacturerData: [6, 0x32, 8, 77, 0, 0, 0, 7, 0, 3, 0])
        #expect(io.mode == .other(7))
        #expect(io.sector == .none)
    }
}
