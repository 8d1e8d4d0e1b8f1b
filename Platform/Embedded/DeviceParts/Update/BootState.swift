import BoardImages
import Wire

/// The state of a board's two slots, which boot loader and image share.
public struct BootState: Equatable, Sendable {
    /// An update's end, which the hub is told at each sign-in.
    public struct Outcome: Equatable, Sendable {
        /// How it ended.
        public enum Result: Equatable, Sendable {
            /// The image has signed in, and stays.
            case updated
            /// The one before came back; with the number of the start by which it did.
            case wentBack(start: UInt8)
            /// It was not tried.
            case refused(ImageFault)
        }
        /// The version that was offered.
        public var version: ImageVersion
        /// The number of the offer (``ImageHeader/identity``), which is not taken again.
        public var offer: UInt32
        /// How it ended.
        public var result: Result

        /// The end of an update to a version.
        public init(version: ImageVersion, offer: UInt32, result: Result) {
            self.version = version
            self.offer = offer
            self.result = result
        }
    }

    /// What has come of an offered image.
    public struct Download: Equatable, Sendable {
        /// The number of the offer.
        public var offer: UInt32
        /// The pages that are whole.
        public var pages: UInt8
    }

    /// The slot whose image is started; nil on a board that has not started yet.
    public var active: UInt8?
    /// The slot whose image is to be tried, or is.
    public var trial: UInt8?
    /// Whether the one try has begun.
    public var isTried = false
    /// The CRC-32 of the image that was flashed last, by cable.
    public var flashed: UInt32 = 0
    /// How the last update ended.
    public var outcome: Outcome?
    /// What has come of the next.
    public var download: Download?

    /// The state of a board that has not started yet.
    public init() {}

    /// The bytes of a stored state.
    static var size: Int { 25 }

    func encoded() -> FixedBytes<25> {
        var bytes = FixedBytes<25>()
        bytes.append(active ?? 0xFF)
        bytes.append(trial ?? 0xFF)
        bytes.append(isTried ? 1 : 0)
        bytes.put(flashed)
        switch outcome?.result {
        case nil: bytes.put(UInt16(0))
        case .updated: bytes.put(UInt16(1))
        case .wentBack(let start): bytes.put(UInt16(2) | UInt16(start) << 8)
        case .refused(let fault): bytes.put(UInt16(3) | UInt16(fault.rawValue) << 8)
        }
        bytes.put(outcome?.version.major ?? 0)
        bytes.put(outcome?.version.minor ?? 0)
        bytes.put(outcome?.version.patch ?? 0)
        bytes.append(download == nil ? 0 : 1)
        bytes.put(download?.offer ?? 0)
        bytes.append(download?.pages ?? 0)
        bytes.put(outcome?.offer ?? 0)
        return bytes
    }

    /// Reads what ``encoded()`` wrote; what no build of ours writes is left out.
    init(decoding bytes: InlineArray<25, UInt8>) {
        func short(_ place: Int) -> UInt16 { UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8 }
        func word(_ place: Int) -> UInt32 { UInt32(short(place)) | UInt32(short(place + 2)) << 16 }
        active = bytes[0] < 2 ? bytes[0] : nil
        trial = bytes[1] < 2 ? bytes[1] : nil
        isTried = bytes[2] == 1
        flashed = word(3)
        let version = ImageVersion(short(9), short(11), short(13))
        switch bytes[7] {
        case 1: outcome = Outcome(version: version, offer: word(21), result: .updated)
        case 2: outcome = Outcome(version: version, offer: word(21), result: .wentBack(start: bytes[8]))
        case 3:
            outcome = ImageFault(rawValue: bytes[8]).map {
                Outcome(version: version, offer: word(21), result: .refused($0))
            }
        default: break
        }
        if bytes[15] == 1 { download = Download(offer: word(16), pages: bytes[20]) }
    }
}
