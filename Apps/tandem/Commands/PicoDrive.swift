import Foundation

/// The drive that a Raspberry Pi Pico is while its button BOOTSEL was held as it was plugged in (RP2040 data sheet, 2.8.4).
struct PicoDrive {
    /// The folder that it is mounted at.
    let folder: String

    /// The reason why there is none, and what to do.
    struct Missing: Error {
        let message: String
    }

    /// The reason why it did not take a file.
    struct Failure: Error {
        let message: String
    }

    /// The drive at a folder.
    init(_ folder: String) throws(Missing) {
        guard Self.isPico(folder) else {
            throw Missing(
                message:
                    "\(folder) is no Pico: a Pico’s drive has a file INFO_UF2.TXT that names RPI-RP2. \(Self.press)")
        }
        self.folder = folder
    }

    private static let press =
        "Hold the button BOOTSEL on the Pico while you plug it in, let it go after a second, and call this again."

    /// The one that is mounted.
    static func found() throws(Missing) -> PicoDrive {
        let folders = mounted().filter(isPico)
        guard let folder = folders.first else {
            let device = "/dev/disk/by-label/RPI-RP2"
            guard FileManager.default.fileExists(atPath: device) else {
                throw Missing(message: "There is no Pico that waits for an image. \(press)")
            }
            throw Missing(
                message:
                    "A Pico is plugged in, and its drive is not mounted: `udisksctl mount -b \(device)`, and call this again."
            )
        }
        guard folders.count == 1 else {
            throw Missing(message: "Several Picos wait: \(folders.joined(separator: ", ")). Name one by --volume.")
        }
        return try PicoDrive(folder)
    }

    /// Whether the file that the UF2 specification has there names this board ("Files exposed by bootloaders").
    private static func isPico(_ folder: String) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: folder + "/INFO_UF2.TXT") else { return false }
        defer { try? handle.close() }
        let text = (try? handle.read(upToCount: 4_096)).flatMap { $0 } ?? Data()
        return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
            .contains { $0.hasPrefix("Board-ID:") && $0.hasSuffix("RPI-RP2") }
    }

    /// The folders that drives with a FAT file system are mounted at.
    private static func mounted() -> [String] {
        #if os(Linux)
            // proc(5): device, folder, file system; a space is \040 there.
            let text = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").compactMap { line -> String? in
                let words = line.split(separator: " ")
                guard words.count > 2, words[2] == "vfat" || words[2] == "msdos" else { return nil }
                return String(words[1]).replacing("\\040", with: " ").replacing("\\134", with: "\\")
            }
        #else
            return ((try? FileManager.default.contentsOfDirectory(atPath: "/Volumes")) ?? []).map { "/Volumes/\($0)" }
        #endif
    }

    /// Copies a file, and has it reach the board. The board goes away with the last block, which may look like an error.
    func write(_ file: [UInt8]) throws(Failure) {
        let path = folder + "/TANDEM.UF2"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw failure("cannot be written to") }
        defer { close(descriptor) }
        var place = 0
        while place < file.count {
            let count = file[place...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw failure("took \(place) of \(file.count) bytes")
            }
            place += count
        }
        if fsync(descriptor) != 0, isThere { throw failure("did not take the file to its end") }
    }

    private func failure(_ words: String) -> Failure {
        Failure(
            message: "\(folder) \(words) (\(String(cString: strerror(errno)))). Unplug the Pico, and try once more.")
    }

    private var isThere: Bool { FileManager.default.fileExists(atPath: folder + "/INFO_UF2.TXT") }

    /// Waits until the drive is gone, which says that the board has started its image; at most for that many seconds.
    func goesAway(within seconds: Int) -> Bool {
        for _ in 0..<seconds * 10 {
            if !isThere { return true }
            // No event tells of a drive on every system; a person waits here.
            Thread.sleep(forTimeInterval: 0.1)
        }
        return false
    }
}
