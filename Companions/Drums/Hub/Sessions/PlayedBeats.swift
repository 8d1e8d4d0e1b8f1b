import DrumsEngine
import Foundation
import Wire

/// The beats of a session that charts are made of, as bytes: kept beside the session, so that a year of charts replays nothing.
///
/// A version, a bit for each drum that could be asked for, and for each beat that counts in the session 16 bytes, numbers with
/// their lowest byte first:
///
///     u8 drum, u8 side, u8 link, u8 verdict
///     i32 reaction, i32 error          milliseconds; the least number stands for none
///     i32 force                        hundredths; the least number stands for none
///
/// A later engine that judges otherwise has another ``version``: what an earlier one stored is replayed.
struct PlayedBeats: Sendable, Equatable {
    /// The version of the engine's judgement.
    static let version: UInt8 = 1
    /// Stands for what was not measured.
    fileprivate static let none = Int32.min
    private static let bytesPerBeat = 16

    /// A beat that was asked for, without what hangs on the song.
    struct Beat: Sendable, Equatable {
        let drum: Drum
        let side: Side
        let link: LinkKind
        let verdict: Verdict
        let reactionMilliseconds: Int32?
        let errorMilliseconds: Int32?
        let forceHundredths: Int32?

        init(_ result: BeatResult) {
            drum = result.drum
            side = result.side
            link = result.link
            verdict = result.verdict
            reactionMilliseconds = result.reactionMilliseconds
            errorMilliseconds = result.errorMilliseconds
            forceHundredths = result.forceHundredths
        }

        fileprivate init?(_ reader: inout LittleEndianReader) {
            guard let drum = Drum(rawValue: reader.uint8()), let side = Side(rawValue: reader.uint8()),
                let link = LinkKind(rawValue: reader.uint8()), let verdict = Verdict(rawValue: reader.uint8())
            else { return nil }
            (self.drum, self.side, self.link, self.verdict) = (drum, side, link, verdict)
            func known(_ number: Int32) -> Int32? { number == PlayedBeats.none ? nil : number }
            reactionMilliseconds = known(reader.int32())
            errorMilliseconds = known(reader.int32())
            forceHundredths = known(reader.int32())
        }

        fileprivate func append(to bytes: inout [UInt8]) {
            bytes.append(contentsOf: [drum.rawValue, side.rawValue, link.rawValue, verdict.rawValue])
            for number in [reactionMilliseconds, errorMilliseconds, forceHundredths] {
                bytes.append(littleEndian: number ?? PlayedBeats.none)
            }
        }
    }

    /// The drums that could be asked for.
    let drums: DrumSet
    let beats: [Beat]

    /// Takes the beats of a session.
    ///
    /// - Parameter forkBeats: the number of those at its beginning that count elsewhere.
    init(_ session: DrumSession, after forkBeats: Int) {
        drums = session.setup.drums
        beats = session.beats.dropFirst(forkBeats).map { Beat($0) }
    }

    /// Reads what ``bytes`` wrote; nil for another version, and for what is none.
    init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count >= 2, bytes[0] == Self.version, (bytes.count - 2) % Self.bytesPerBeat == 0 else { return nil }
        drums = DrumSet(rawValue: bytes[1])
        var reader = LittleEndianReader(bytes[2...])
        var beats: [Beat] = []
        beats.reserveCapacity((bytes.count - 2) / Self.bytesPerBeat)
        while reader.remaining > 0 {
            guard let beat = Beat(&reader) else { return nil }
            beats.append(beat)
        }
        self.beats = beats
    }

    var bytes: Data {
        var bytes = [Self.version, drums.rawValue]
        bytes.reserveCapacity(2 + beats.count * Self.bytesPerBeat)
        for beat in beats { beat.append(to: &bytes) }
        return Data(bytes)
    }
}
