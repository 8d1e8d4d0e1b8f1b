import Foundation
import HubKit
import Localization
import TriviaToyEngine

/// Makes the hub's one form of sound of what somebody recorded: WAVE files are read by the hub itself, all others by
/// ffmpeg.
struct MessageSound: Sendable {
    /// The type of a recording, found by its first bytes. Browsers record the first two; nothing else is given to
    /// ffmpeg, which reads each as what it says to be and follows no address that stands in it.
    enum Container: String {
        /// The container of WebM.
        case matroska
        /// The container of MP4 and M4A.
        case mp4 = "mov"
        case ogg, mp3, flac
        case wave = "wav"

        /// Finds the type by the first bytes; nil for what is none of them.
        init?(_ bytes: [UInt8]) {
            func has(_ letters: String, at place: Int = 0) -> Bool {
                bytes.dropFirst(place).starts(with: letters.utf8)
            }
            if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
                self = .matroska
            } else if has("ftyp", at: 4) {
                self = .mp4
            } else if has("OggS") {
                self = .ogg
            } else if has("fLaC") {
                self = .flac
            } else if has("ID3") || bytes.first == 0xFF && bytes.count > 1 && bytes[1] & 0xE0 == 0xE0 {
                self = .mp3
            } else if has("RIFF"), has("WAVE", at: 8) {
                self = .wave
            } else {
                return nil
            }
        }
    }

    /// The program that reads all others.
    var program: SystemProgram
    /// The longest recording, milliseconds.
    var longest: Int
    /// The hub's data folder, where a recording lies while it is read.
    var folder: String

    init(program: String = "ffmpeg", limits: ToyLimits, folder: String) {
        let longest = limits.messageMilliseconds
        self.longest = longest
        self.folder = folder
        // Two bytes a sample, a second more than may be, and the head.
        self.program = SystemProgram(
            name: program, limitBytes: (longest / 1_000 + 2) * Int(Sound.highestRate) * 2 + 4_096,
            patience: limits.transcodingTime)
    }

    /// Reads a recording.
    ///
    /// - Throws: a `Problem` in words for whoever recorded it.
    func sound(of bytes: [UInt8]) async throws -> Sound {
        guard let container = Container(bytes) else {
            throw Problem(
                .unsupportedMediaType, "Not a recording",
                "This is no sound that the hub knows. Record it on the page, or send a WAV file. Nothing was stored.",
                field: "file")
        }
        let wave = container == .wave ? bytes : try await transcoded(bytes, container)
        do throws(Sound.Fault) {
            return try Sound(wave: wave.span, longest: longest)
        } catch {
            throw Problem.field("file", detail: Self.words(error, longest: longest))
        }
    }

    private func transcoded(_ bytes: [UInt8], _ container: Container) async throws -> [UInt8] {
        // A file, for where the index of an MP4 stands at its end, it is read back and forth.
        guard let path = try? DataFolder(path: folder).part(),
            FileManager.default.createFile(atPath: path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        else {
            throw Problem(
                .serviceUnavailable, "Not stored",
                "The hub could not write to its data folder. Nothing was changed; look at its disk.")
        }
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            return try await program.run(
                [
                    "-nostdin", "-threads", "1", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file",
                    "-f",
                    container.rawValue, "-i", path, "-map", "0:a:0", "-t", "\(longest / 1_000 + 1)", "-ac", "1", "-ar",
                    "\(Sound.highestRate)", "-c:a", "pcm_s16le", "-protocol_whitelist", "pipe", "-f", "wav", "pipe:1",
                ], input: [])
        } catch SystemProgram.Failure.missing {
            throw Problem(
                .serviceUnavailable, "Cannot be read",
                "The hub cannot read this recording, because ffmpeg is not installed. On Debian: apt-get install ffmpeg. Until then, send a WAV file. Nothing was stored.",
                field: "file")
        } catch is SystemProgram.Failure {
            throw Problem.field("file", "The recording could not be read. Record it once more. Nothing was stored.")
        }
    }

    private static func words(_ fault: Sound.Fault, longest: Int) -> LocalizedText {
        switch fault {
        case .tooLong:
            LocalizedText(
                "A message lasts at most \(longest / 1_000) seconds. Say it in fewer words. Nothing was stored.")
        case .empty: LocalizedText("There is nothing on the recording. Record it once more. Nothing was stored.")
        case .notWave, .unknownFormat, .badRate:
            LocalizedText("The recording could not be read. Record it once more. Nothing was stored.")
        }
    }
}
