import BoardImages
import Foundation
import HubKit
import NIOCore
import Storage

/// What a device says of its firmware, on `firmware/state`.
struct BoardReport: Sendable, Equatable {
    /// The end of an update.
    struct Outcome: Sendable, Equatable {
        /// The version that was offered.
        var version: String
        /// The number of the offer.
        var offer: UInt32
        var result: DeviceFirmwareRecord.Outcome
        /// The number of the start by which it went back, or of the fault.
        var reason: Int?
    }

    var board: String
    var kind: String
    var version: String
    var hasKey: Bool
    var outcome: Outcome?

    /// The most bytes of a report.
    static let mostBytes = 512

    private struct Body: Decodable {
        var board, image, version: String
        var hasKey: Bool
        var offered: String?
        var offer: UInt32?
        var start, refused: UInt8?
    }

    /// Reads a report.
    init(_ payload: ByteBuffer) throws(BadMessage) {
        guard payload.readableBytes <= Self.mostBytes else {
            throw BadMessage("What a device says of its firmware has at most \(Self.mostBytes) bytes.")
        }
        let body: Body
        do { body = try JSONDecoder().decode(Body.self, from: Data(payload.readableBytesView)) } catch {
            throw BadMessage(
                #"A device says of its firmware what {"board":"…","image":"…","version":"1.2.0","hasKey":true} says."#)
        }
        guard ImageName(Array(body.board.utf8).span) != nil, ImageName(Array(body.image.utf8).span) != nil else {
            throw BadMessage("The name of a board, or of an image, has 1 to 16 of a to z, digits and hyphens.")
        }
        guard ImageVersion(Array(body.version.utf8).span) != nil else {
            throw BadMessage("A version is three numbers of at most 65535, such as 1.2.0.")
        }
        (board, kind, version, hasKey) = (body.board, body.image, body.version, body.hasKey)
        guard let offered = body.offered else { return }
        // A device whose offer could not be read says 0.0.0.
        let isKnown = ImageVersion(Array(offered.utf8).span) != nil || offered == "0.0.0"
        guard isKnown, let offer = body.offer else {
            throw BadMessage("The end of an update has its version and the number of the offer.")
        }
        let result: DeviceFirmwareRecord.Outcome =
            body.start != nil ? .wentBack : body.refused != nil ? .refused : .updated
        outcome = Outcome(
            version: offered, offer: offer, result: result, reason: (body.start ?? body.refused).map(Int.init))
    }
}
