import DrumsEngine
import Foundation

/// The delays of the hits of a session in flow mode, as far as a timing window learns from them: kept beside the
/// session, so that the first screen replays nothing.
///
/// Four bytes each: the number of the link, that of the side, and the error in milliseconds, the lower byte first.
struct TimingErrors: Sendable, Equatable {
    struct Hit: Sendable, Equatable {
        var link: LinkKind
        var side: Side
        /// Milliseconds; negative is early.
        var milliseconds: Int32
    }

    let hits: [Hit]

    /// Takes the errors of beats in their order: of those with a hit, early ones too, which are no reaction to the
    /// light and need not be.
    init(_ beats: [BeatResult]) {
        hits = beats.compactMap { beat in
            guard let error = beat.errorMilliseconds, abs(Int64(error)) <= SessionRules.openAfterBeat else {
                return nil
            }
            return Hit(link: beat.link, side: beat.side, milliseconds: error)
        }
    }

    /// Reads what ``bytes`` wrote. What is no hit is left out.
    init(bytes: Data) {
        let bytes = Array(bytes)
        hits = stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).compactMap { place in
            guard let link = LinkKind(rawValue: bytes[place]), let side = Side(rawValue: bytes[place + 1]) else {
                return nil
            }
            let error = Int16(bitPattern: UInt16(bytes[place + 2]) | UInt16(bytes[place + 3]) << 8)
            return Hit(link: link, side: side, milliseconds: Int32(error))
        }
    }

    var bytes: Data {
        var bytes = Data()
        bytes.reserveCapacity(hits.count * 4)
        for hit in hits {
            let error = UInt16(bitPattern: Int16(clamping: hit.milliseconds))
            bytes.append(contentsOf: [
                hit.link.rawValue, hit.side.rawValue, UInt8(truncatingIfNeeded: error), UInt8(error >> 8),
            ])
        }
        return bytes
    }
}
