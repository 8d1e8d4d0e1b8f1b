import ArgumentParser
import ClientKit
import FlashFiles
import Foundation
import Subprocess
import SystemPackage

/// `tandem flash`
struct Flash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flash",
        abstract: "Writes an image of a sensor, a toy or a drum kit to a board.",
        discussion: """
            The image says by its addresses which board it is for. A Raspberry Pi Pico is a drive while its button BOOTSEL is held \
            as it is plugged in, and the image is copied to it. A board with an STM32F405 is written to by the program dfu-util, \
            while BOOT0 is high as it is reset.

            Examples:
              tandem flash .build-firmware/images/Toy-Pico.elf
              tandem flash .build-firmware/images/Toy-STM32F405.elf
              tandem flash Toy-Pico.elf --output toy.uf2
            """)

    @Argument(help: ArgumentHelp("The image: an ELF or UF2 file.", valueName: "image"))
    var image: String

    @Option(
        help:
            "The board, if it shall be made sure that the image is for it: \(Board.allCases.map(\.rawValue).joined(separator: " or "))."
    )
    var board: Board?

    @Option(
        help: ArgumentHelp("The folder that the Pico is mounted at. Without it, it is looked for.", valueName: "folder")
    )
    var volume: String?

    @Option(help: ArgumentHelp("Writes the file that the board takes, UF2 or DfuSe, and no board.", valueName: "file"))
    var output: String?

    func run() async throws {
        let bytes: [UInt8]
        do throws(CommandFile.Failure) {
            bytes = try CommandFile.read(image, upTo: 64 << 20)
        } catch {
            throw ExitCode.saying("\(image) \(error.message)", code: error.code)
        }
        let (target, file): (Board, [UInt8])
        do throws(FlashImageError) {
            let parsed = try FlashImage(file: bytes)
            guard let found = board ?? Board(of: parsed) else {
                // An image has a piece, whose address no board has.
                throw .outside(address: parsed.pieces.first?.address ?? 0)
            }
            (target, file) = (found, try found.file(of: parsed))
        } catch {
            throw ExitCode.saying("\(image) \(error.message)", code: 65)
        }
        if let output {
            try Self.write(file, to: output)
            print("Wrote \(output), \(file.count) bytes.")
            return
        }
        switch target {
        case .pico: try copy(file)
        case .stm32f405: try await load(file)
        }
    }

    // MARK: Pico

    private func copy(_ file: [UInt8]) throws {
        let drive: PicoDrive
        do throws(PicoDrive.Missing) {
            if let volume { drive = try PicoDrive(volume) } else { drive = try PicoDrive.found() }
        } catch {
            throw ExitCode.saying(error.message, code: 69)
        }
        CommandOutput.say("Writing to \(drive.folder). Leave it plugged in.")
        do throws(PicoDrive.Failure) {
            try drive.write(file)
        } catch {
            throw ExitCode.saying(error.message, code: 74)
        }
        print(
            drive.goesAway(within: 10)
                ? "Done: the board has taken the image, and starts it."
                : "Copied, but the drive is still there: the board waits for more, or it was another’s. Unplug it, and try once more."
        )
    }

    // MARK: STM32F405

    private func load(_ file: [UInt8]) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString).dfu").path
        try Self.write(file, to: path)
        let words = ["dfu-util", "-d", "0483:df11", "-a", "0", "-s", ":leave", "-D", path]
        let press = "Connect BOOT0 to 3.3 V and press reset: the board waits for an image then."
        guard let program = Self.program("dfu-util") else {
            throw ExitCode.saying(
                "dfu-util is not installed here: `sudo apt install dfu-util`. \(press) Then: \(words.joined(separator: " "))",
                code: 69)
        }
        defer { try? FileManager.default.removeItem(atPath: path) }
        CommandOutput.say(press)
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: .init(Array(words.dropFirst())), output: .currentStandardOutput,
            error: .currentStandardError)
        guard result.terminationStatus.isSuccess else {
            throw ExitCode.saying(
                "dfu-util did not write the image; it says why above. If it found no device: \(press) Or by a programmer, as docs/site/firmware.md says.",
                code: 69)
        }
        print("Done. Take BOOT0 off 3.3 V, and press reset.")
    }

    private static func program(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func write(_ file: [UInt8], to path: String) throws {
        do {
            try Data(file).write(to: URL(filePath: path))
        } catch {
            throw ExitCode.saying("\(path) cannot be written. Is its folder there, and yours?", code: 73)
        }
    }
}

extension Board: ExpressibleByArgument {}
