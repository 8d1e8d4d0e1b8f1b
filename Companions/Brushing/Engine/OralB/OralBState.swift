/// The state of an Oral-B tooth brush.
public enum OralBState: Equatable, Sendable {
    /// A state that the brush itself does not know.
    case unknown
    /// Starting.
    case initializing
    /// Switched off, and ready.
    case idle
    /// Brushing.
    case running
    /// Standing on the charger.
    case charging
    /// Being set up.
    case setup
    /// Showing the menu that locks it for a journey.
    case flightMenu
    /// Showing the menu of modes.
    case selectionMenu
    /// Switched off.
    case off
    /// Showing how the brushing was.
    case statistics
    /// Undergoing the final test of the factory.
    case finalTest
    /// Undergoing the test of the circuit board.
    case boardTest
    /// Asleep.
    case sleeping
    /// Locked for a journey.
    case transport
    /// A state that this build does not know.
    case other(UInt8)

    /// Reads the byte of a state.
    init(byte: UInt8) {
        self =
            switch byte {
            case 0: .unknown
            case 1: .initializing
            case 2: .idle
            case 3: .running
            case 4: .charging
            case 5: .setup
            case 6: .flightMenu
            case 8: .selectionMenu
            case 9: .off
            case 10: .statistics
            case 113: .finalTest
            case 114: .boardTest
            case 115: .sleeping
            case 116: .transport
            default: .other(byte)
            }
    }

    /// Whether nobody brushes in this state. Of a state without a meaning it is not known.
    public var endsBrushing: Bool {
        switch self {
        case .running, .unknown, .initializing, .other: false
        default: true
        }
    }
}

/// The mode of an Oral-B tooth brush.
public enum OralBMode: Equatable, Sendable {
    /// Switched off.
    case off
    /// The ordinary mode.
    case dailyClean
    /// The gentle mode.
    case sensitive
    /// The mode that massages the gum.
    case massage
    /// The mode that polishes.
    case whitening
    /// The long mode.
    case deepClean
    /// The mode for the tongue.
    case tongueCleaning
    /// The strong mode.
    case turbo
    /// The mode for the gum of the iO series.
    case gumCare
    /// The strong mode of the iO series.
    case intense
    /// The gentlest mode of the iO series.
    case superSensitive
    /// The settings of the iO series.
    case settings
    /// The mode of the iO series that adapts itself.
    case smartAdapt
    /// A mode that this build does not know.
    case other(UInt8)

    /// Reads the byte of a mode, whose meaning depends on the model.
    init(byte: UInt8, of model: OralBModel) {
        if model.isIO {
            self =
                switch byte {
                case 0: .dailyClean
                case 1: .sensitive
                case 2: .gumCare
                case 3: .whitening
                case 4: .intense
                case 5: .superSensitive
                case 6: .tongueCleaning
                case 8: .settings
                case 9: .off
                case 11: .smartAdapt
                default: .other(byte)
                }
        } else {
            self =
                switch byte {
                case 0: .off
                case 1: .dailyClean
                case 2: .sensitive
                case 3: .massage
                case 4: .whitening
                case 5: .deepClean
                case 6: .tongueCleaning
                case 7: .turbo
                default: .other(byte)
                }
        }
    }
}

/// The sector of the mouth that a brush believes to be in: it counts time, and says so by a pause of the motor.
public enum OralBSector: Equatable, Sendable {
    /// No sector.
    case none
    /// The sector of a number from 1 to 6.
    case number(UInt8)
    /// The last sector, whichever that is; the brush's time for it may be over.
    case last

    /// Reads the byte of a sector: three bits, beside bits for the face that the handle shows.
    init(byte: UInt8) {
        self =
            switch (byte, byte & 0x07) {
            case (0xFE, _), (0x00..<0xFE, 7): .last
            case (0xFF, _), (_, 0): .none
            default: .number(byte & 0x07)
            }
    }
}

/// The line of models of an Oral-B tooth brush.
public enum OralBModel: UInt8, CaseIterable, Sendable {
    /// A model that this build does not know, whose modes are taken for those of the Smart Series.
    case unknown
    /// Triumph and Professional Care, D36.
    case triumph
    /// The older Smart Series, D21.
    case smartSeriesD21
    /// Pro, D601.
    case pro
    /// The Smart Series, D700.
    case smartSeriesD700
    /// Genius, D701.
    case genius
    /// Genius X, D706.
    case geniusX
    /// The iO series; which number is not said.
    case iO
    /// The iO series 4.
    case iO4
    /// The iO series 5.
    case iO5

    /// The line of a model's number.
    init(type: UInt8) {
        self =
            switch type {
            case 0...2: .triumph
            case 32...34: .genius
            case 39...41: .smartSeriesD700
            case 48...50, 54: .iO
            case 52: .iO4
            case 53: .iO5
            case 64...70: .smartSeriesD21
            case 80...87: .pro
            case 112...114, 117...119: .geniusX
            default: .unknown
            }
    }

    /// Whether the model has the modes of the iO series.
    var isIO: Bool { self == .iO || self == .iO4 || self == .iO5 }

    /// The name that people know it by, ASCII.
    public var name: StaticString {
        switch self {
        case .unknown: "Oral-B"
        case .triumph: "Oral-B Triumph"
        case .smartSeriesD21, .smartSeriesD700: "Oral-B Smart Series"
        case .pro: "Oral-B Pro"
        case .genius: "Oral-B Genius"
        case .geniusX: "Oral-B Genius X"
        case .iO: "Oral-B iO"
        case .iO4: "Oral-B iO 4"
        case .iO5: "Oral-B iO 5"
        }
    }
}
