import ClientKit
import Foundation
import TriviaToyDevice
import TriviaToyVirtualBoard

/// The deeds of people with a simulated toy: lines on standard input.
struct Hands: Sendable {
    let inbox: ToyPlayer.Inbox

    /// Follows the lines until standard input ends. It returns at once where that is nothing to read of.
    func follow() async {
        // Opened anew where that goes: what the link sets for it is not to hold for the terminal of whoever typed the command.
        let own = open("/dev/stdin", O_RDONLY | O_CLOEXEC)
        let descriptor = own >= 0 ? own : dup(STDIN_FILENO)
        guard descriptor >= 0 else { return }
        try? await ByteLink.open(.descriptor(descriptor)) { _, incoming in
            var line: [UInt8] = []
            while let bytes = try await incoming.next() {
                for byte in bytes {
                    if byte == UInt8(ascii: "\n") {
                        act(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces))
                        line = []
                    } else if line.count < 100 {
                        line.append(byte)
                    }
                }
            }
        }
    }

    private func act(_ word: String) {
        guard !word.isEmpty else { return }
        guard let step = Self.steps[word] else {
            return CommandOutput.say(
                "“\(word)” is nothing that happens to a toy. There are: \(Self.steps.keys.sorted().joined(separator: ", "))."
            )
        }
        inbox.add(.step(step))
    }

    private static let steps: [String: Timeline.Step] = [
        "throw": .move(MotionScript.thrown()), "shake": .move(MotionScript.shaken),
        "press": .hold(.middle, milliseconds: 150), "good": .hold(.up, milliseconds: 1_200),
        "bad": .hold(.down, milliseconds: 1_200), "offline": .accessPoint(isGone: true),
        "online": .accessPoint(isGone: false), "empty": .battery(millivolts: 3_400), "power": .powerCut,
        "setup": setUp,
    ]
    /// The middle button, held for long enough.
    static let setUp = Timeline.Step.hold(.middle, milliseconds: 3_200)
}
