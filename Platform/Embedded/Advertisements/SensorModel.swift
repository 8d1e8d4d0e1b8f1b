/// A model of a Bluetooth sensor, as far as its advertisements say it.
public enum SensorModel: UInt8, CaseIterable, Sendable {
    /// The plant sensor Flower Care, HHCCJCY01, also sold as Mi Flora.
    case flowerCare
    /// The plant sensor Flower Care of the pink version, HHCCJCY10.
    case flowerCarePink
    /// The plant sensor Grow Care Garden, GCLS002 and HHCCJCY09.
    case growCareGarden
    /// The flower pot RoPot, HHCCPOT002.
    case flowerPot
    /// The plant sensor b-parasite.
    case bParasite
    /// The thermometer LYWSDCGQ.
    case lywsdcgq
    /// The thermometer and clock LYWSD02.
    case lywsd02
    /// The thermometer and clock LYWSD02MMC.
    case lywsd02mmc
    /// The thermometer LYWSD03MMC.
    case lywsd03mmc
    /// The thermometer XMWSDJ04MMC.
    case xmwsdj04mmc
    /// The thermometer MJWSD05MMC.
    case mjwsd05mmc
    /// The thermometer MJWSD06MMC.
    case mjwsd06mmc
    /// The thermometer and clock MHO-C303.
    case mhoC303
    /// The thermometer MHO-C401.
    case mhoC401
    /// The thermometer CGG1.
    case cgg1
    /// The thermometer CGDK2.
    case cgdk2
    /// A thermometer with the firmware of atc1441 or of pvvx.
    case atcThermometer
    /// The thermometer Shelly BLU H&T.
    case shellyBluHT
    /// A sensor that speaks BTHome and is none of the others.
    case bthome
    /// A device with MiBeacon of a product that is none of the others.
    case otherMiBeacon

    /// The model of a product's number in MiBeacon; ``otherMiBeacon`` for one that is not a plant sensor or thermometer
    /// known here.
    public init(product: UInt16) {
        self =
            switch product {
            case 0x0098: .flowerCare
            case 0x03BC: .growCareGarden
            case 0x015D: .flowerPot
            case 0x01AA: .lywsdcgq
            case 0x045B: .lywsd02
            case 0x16E4, 0x2542: .lywsd02mmc
            case 0x055B: .lywsd03mmc
            case 0x1203: .xmwsdj04mmc
            case 0x2832, 0x4C47: .mjwsd05mmc
            case 0x55B5, 0x5BEA: .mjwsd06mmc
            case 0x06D3: .mhoC303
            case 0x0387: .mhoC401
            case 0x0347, 0x0B48: .cgg1
            case 0x066F: .cgdk2
            default: .otherMiBeacon
            }
    }

    /// The model of a device that speaks BTHome, by the name that it advertises.
    init(bthomeName name: [UInt8]?) {
        let name = name ?? []
        self =
            if begins(name, with: "prst") {
                .bParasite
            } else if begins(name, with: "ATC") || begins(name, with: "LYWSD03MMC") {
                .atcThermometer
            } else if begins(name, with: "SBHT-003C") {
                .shellyBluHT
            } else {
                .bthome
            }
    }

    /// Whether the sensor stands in soil.
    public var isPlantSensor: Bool {
        switch self {
        case .flowerCare, .flowerCarePink, .growCareGarden, .flowerPot, .bParasite: true
        default: false
        }
    }

    /// Whether the object 0x1007 of MiBeacon is an illuminance in lux: lamps with a motion detector send it as 1 and 100.
    var measuresIlluminance: Bool { self == .flowerCare || self == .growCareGarden }

    /// The name that people know it by, UTF-8.
    public var name: StaticString {
        switch self {
        case .flowerCare: "Flower Care (HHCCJCY01)"
        case .flowerCarePink: "Flower Care (HHCCJCY10)"
        case .growCareGarden: "Grow Care Garden (GCLS002)"
        case .flowerPot: "RoPot (HHCCPOT002)"
        case .bParasite: "b-parasite"
        case .lywsdcgq: "LYWSDCGQ"
        case .lywsd02: "LYWSD02"
        case .lywsd02mmc: "LYWSD02MMC"
        case .lywsd03mmc: "LYWSD03MMC"
        case .xmwsdj04mmc: "XMWSDJ04MMC"
        case .mjwsd05mmc: "MJWSD05MMC"
        case .mjwsd06mmc: "MJWSD06MMC"
        case .mhoC303: "MHO-C303"
        case .mhoC401: "MHO-C401"
        case .cgg1: "CGG1"
        case .cgdk2: "CGDK2"
        case .atcThermometer: "ATC"
        case .shellyBluHT: "Shelly BLU H&T"
        case .bthome: "BTHome"
        case .otherMiBeacon: "MiBeacon"
        }
    }
}

/// Whether bytes begin with some text.
private func begins(_ bytes: [UInt8], with text: StaticString) -> Bool {
    guard bytes.count >= text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { letters in
        for (index, letter) in letters.enumerated() where bytes[index] != letter { return false }
        return true
    }
}
