import Wire

/// The reason why a manufacturer's data are not those of an Oral-B tooth brush.
public enum OralBError: Error, Equatable, Sendable {
    /// The data have another number of bytes than 9, or 11 and more.
    case length(Int)
}

/// An advertisement of an Oral-B tooth brush: what it does now, and for how long it has brushed.
///
/// Oral-B publishes none of it. Bytes and their meaning are those that Bluetooth-Devices/oralb-ble found
/// (docs/source/wire-format.md), which has captures of all these models; the values 254 and 255 of a sector are those of
/// custom-components/ble_monitor.
public struct OralBAdvertisement: Equatable, Sendable {
    /// The company's identifier, that of Procter & Gamble (Bluetooth Assigned Numbers, 7.1).
    public static let company: UInt16 = 0x00DC

    /// The version of the protocol, 1 to 8 as of 2026.
    public let version: UInt8
    /// The number of the model, of which ``model`` is the line.
    public let type: UInt8
    /// A byte that is believed to be the firmware's version.
    public let firmware: UInt8
    /// The state.
    public let state: OralBState
    /// Whether the brush is pressed too hard.
    public let isPressureHigh: Bool
    /// Whether the button for the mode is pressed.
    public let isButtonPressed: Bool
    /// Whether the power button is pressed.
    public let isPowerButtonPressed: Bool
    /// The seconds of brushing since the brush's clock began, at most 15,555. The brush goes on showing them when it is idle.
    public let seconds: Int
    /// The mode.
    public let mode: OralBMode
    /// The sector of the mouth, which means nothing unless the brush is running.
    public let sector: OralBSector
    /// The progress of the sector; nil of brushes that do not send it. In all captures it is percent of a sector of 30
    /// seconds, although oralb-ble calls it seconds.
    public let sectorProgress: UInt8?
    /// The number of sectors that the brush is set to, 1 to 7; nil of brushes that do not send it.
    public let sectors: UInt8?

    /// The line of models.
    public var model: OralBModel { OralBModel(type: type) }

    /// The number of the sector from 1 to 7: the last one is that of ``sectors``, or the fourth. Nil where there is no sector.
    public var sectorNumber: UInt8? {
        switch sector {
        case .none: nil
        case .number(let number): number
        case .last: sectors ?? 4
        }
    }

    /// Decodes the data of the company: 9 bytes, or 11 and more, of which those after the eleventh say nothing known.
    public init(manufacturerData data: [UInt8]) throws(OralBError) {
        guard data.count == 9 || data.count >= 11 else { throw .length(data.count) }
        version = data[0]
        type = data[1]
        firmware = data[2]
        state = OralBState(byte: data[3])
        isPowerButtonPressed = data[4] & 0x08 != 0
        isButtonPressed = data[4] & 0x04 != 0
        isPressureHigh = data[4] & 0x80 != 0
        seconds = Int(data[5]) * 60 + Int(data[6])
        mode = OralBMode(byte: data[7], of: OralBModel(type: data[1]))
        sector = OralBSector(byte: data[8])
        let hasSectors = data.count >= 11
        sectorProgress = hasSectors ? data[9] : nil
        sectors = hasSectors && data[10] & 0x07 != 0 ? data[10] & 0x07 : nil
    }
}
