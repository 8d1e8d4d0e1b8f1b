import Foundation

/// A virtual kit behind standard input and output, for programs that have a radio of their own, or emulate one.
///
/// In come bytes as a page writes them; a line that begins with `!` is for the simulator: `!reset`, `!lost`, `!back`.
/// Out come lines: a notification's bytes, its NUL included, or `!` and what happened.
struct KitPipes: Sendable {
    let player: VirtualKitPlayer

    /// Runs the kit until the end of the input.
    func run() async throws {
        let player = player
        // Reading blocks: it has a thread of its own, which ends with the input or with the process.
        Thread.detachNewThread {
            var reader = KitPipeReader()
            while case let data = FileHandle.standardInput.availableData, !data.isEmpty {
                for input in reader.read(data) { player.take(input) }
            }
            player.end()
        }
        try await player.play { event in FileHandle.standardOutput.write(Data(Self.line(event))) }
    }

    static func line(_ event: VirtualKit.Event) -> [UInt8] {
        switch event {
        case .notification(let bytes): bytes + [0x0A]
        case .lost: Array("!lost\n".utf8)
        case .back: Array("!back\n".utf8)
        case .reset: Array("!reset\n".utf8)
        }
    }
}

/// Tells the simulator's own lines from what is for the kit.
struct KitPipeReader {
    /// The line that has been begun, its `!` left out.
    private var order: [UInt8]?

    private static let longestOrder = 16

    /// The inputs that some bytes mean. The bytes may be cut anywhere.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [VirtualKitPlayer.Input] {
        var inputs: [VirtualKitPlayer.Input] = []
        var written: [UInt8] = []
        for byte in bytes {
            if let begun = order {
                if byte == 0x0A {
                    order = nil
                    if let input = Self.orders[String(decoding: begun, as: UTF8.self)] { inputs.append(input) }
                } else if begun.count < Self.longestOrder {
                    order = begun + [byte]
                }
            } else if byte == UInt8(ascii: "!") {
                if !written.isEmpty { inputs.append(.bytes(written)) }
                written = []
                order = []
            } else {
                written.append(byte)
            }
        }
        if !written.isEmpty { inputs.append(.bytes(written)) }
        return inputs
    }

    private static let orders: [String: VirtualKitPlayer.Input] = [
        "reset": .reset, "lost": .lose, "back": .comeBack,
    ]
}
