/// The reason why bytes are no image, or an image is refused. The numbers are those that a device reports.
public enum ImageFault: UInt8, Error, Equatable, CaseIterable, Sendable {
    /// There are fewer bytes than a header has, or than it says.
    case cutOff = 1
    /// It does not begin with `TDMI`.
    case noMagic = 2
    /// A format that is not 1, or something where format 1 has zeros.
    case unknownFormat = 3
    /// The header's checksum is of another header.
    case headerChecksum = 4
    /// The name of the board or of the image is none.
    case badName = 5
    /// The version is 0.0.0.
    case badVersion = 6
    /// The length is none: nothing, or more than any slot holds.
    case badLength = 7
    /// There are more bytes than the header says.
    case tooMuch = 8
    /// The payload's checksum is of another payload.
    case payloadChecksum = 9
    /// It is for another board.
    case otherBoard = 10
    /// It is an image of another device.
    case otherKind = 11
    /// It is older than what runs, and does not say that it may be.
    case older = 12
    /// The signature is not the hub's.
    case signature = 13
    /// Nobody has told the device the hub's key.
    case noKey = 14
    /// The slot could not be written.
    case memory = 15
}
