import HubKit
import Storage
import Synchronization
import TriviaToyEngine

/// The words that each virtual toy said last: in memory alone, for what was said is over.
final class SpokenWords: Sendable {
    /// The words that a toy said.
    struct Spoken: Sendable {
        /// The id, which is hard to guess, and new each time.
        var id: String
        var device: String
        var household: String
        /// UTC milliseconds.
        var at: Int64
        var utterance: SpeechRenderer.Utterance
        /// The recorded message that is heard in its place.
        var message: Int64?
    }

    private let spoken = Mutex<[String: Spoken]>([:])

    /// Notes what a toy says.
    func say(_ one: Spoken) { spoken.withLock { $0[one.device] = one } }

    /// The words that a toy said last.
    func last(of device: String) -> Spoken? { spoken.withLock { $0[device] } }

    /// The words that were said under an id, as long as nothing else was said since.
    func find(_ id: String, household: String) -> Spoken? {
        spoken.withLock { $0.values.first { $0.id == id && $0.household == household } }
    }

    /// Forgets a toy that is none any more.
    func forget(_ device: String) { spoken.withLock { $0[device] = nil } }
}

extension SpokenWords.Spoken {
    init(_ report: SpokenReport, _ bytes: [UInt8], of device: DeviceRecord, now: Int64) {
        self.init(
            id: Secret.identifier(), device: device.id, household: device.household, at: now,
            utterance: SpeechRenderer.Utterance(
                words: String(decoding: bytes[report.text], as: UTF8.self), voice: report.voice, volume: report.volume,
                wordsPerMinute: report.wordsPerMinute, language: report.language))
    }
}
