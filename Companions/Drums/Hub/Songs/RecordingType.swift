import HubKit
import Synchronization

/// The type of a recording, found by its first bytes: what a file is called, or a browser says of it, proves nothing.
enum RecordingType: Sendable, FileMedia {
    case mp3, m4a, ogg, wav, flac

    /// Finds the type by the first bytes.
    ///
    /// - Parameter beginning: at least twelve bytes.
    init?(_ beginning: [UInt8]) {
        func has(_ text: String, at offset: Int) -> Bool {
            beginning.dropFirst(offset).starts(with: text.utf8)
        }
        guard beginning.count >= 12 else { return nil }
        if has("RIFF", at: 0), has("WAVE", at: 8) {
            self = .wav
        } else if has("fLaC", at: 0) {
            self = .flac
        } else if has("OggS", at: 0) {
            self = .ogg
        } else if has("ftyp", at: 4) {
            // ISO/IEC 14496-12, 4.3: the brand follows. Those of films are films.
            guard
                ["M4A ", "M4B ", "mp42", "mp41", "isom", "iso2", "iso5", "iso6", "dash"].contains(where: {
                    has($0, at: 8)
                })
            else { return nil }
            self = .m4a
        } else if has("ID3", at: 0) {
            self = .mp3
        } else if beginning[0] == 0xFF, beginning[1] & 0xE6 == 0xE2, beginning[2] & 0xF0 != 0xF0,
            beginning[2] & 0x0C != 0x0C
        {
            // A frame of layer III (ISO/IEC 11172-3, 2.4.1.3): its sync word, a bit rate and a sampling rate that exist.
            self = .mp3
        } else {
            return nil
        }
    }

    /// The media type, as a browser wants to have it called.
    var mediaType: String {
        switch self {
        case .mp3: "audio/mpeg"
        case .m4a: "audio/mp4"
        case .ogg: "audio/ogg"
        case .wav: "audio/wav"
        case .flac: "audio/flac"
        }
    }
}

/// The type that was seen at the beginning of a body.
final class TypeSeen: Sendable {
    let value = Mutex<RecordingType?>(nil)
}
