import DrumsDevice
import DrumsEngine

/// A kit on the bench: its board in memory, a hand that strikes, and what comes out of the line.
struct KitBench {
    var kit: KitModel
    /// Complete notifications so far, each without its NUL.
    private(set) var notifications: [String] = []
    /// How long a strike holds its line high, milliseconds.
    var pulse: UInt32 = 3
    private var letGo: [(drum: Int, at: UInt32)] = []

    init(start: UInt32 = 1_000, accelerometer: AccelerometerModel = AccelerometerModel()) {
        kit = KitModel(board: BoardModel(milliseconds: start, accelerometer: accelerometer))
        kit.begin()
    }

    /// Messages that have been ended, in their pieces put together.
    var messages: [String] {
        var messages: [String] = []
        var text = ""
        for piece in notifications {
            if piece == "END" {
                messages.append(text)
                text = ""
            } else {
                text += piece
            }
        }
        return messages
    }

    var lit: [Int] { (0..<4).filter { kit.lights[$0].isHigh } }

    mutating func send(_ text: String) {
        kit.board.toKit += Array(text.utf8)
        turn()
    }

    /// Turns at every millisecond until so many have passed.
    mutating func wait(_ milliseconds: UInt32) {
        for _ in 0..<milliseconds {
            kit.board.milliseconds &+= 1
            turn()
        }
    }

    /// Strikes a drum now.
    mutating func strike(_ drum: Int, thousandths: Int32 = 3_200) {
        kit.pads[drum].isHigh = true
        if drum == 0 { kit.board.accelerometer.strike(thousandths: thousandths, at: kit.board.milliseconds) }
        letGo.append((drum, kit.board.milliseconds &+ pulse))
        turn()
    }

    mutating func turn() {
        let now = kit.board.milliseconds
        for (drum, at) in letGo where Int32(bitPattern: now &- at) >= 0 { kit.pads[drum].isHigh = false }
        letGo.removeAll { Int32(bitPattern: now &- $0.at) >= 0 }
        kit.poll()
        for bytes in kit.board.notifications() {
            notifications.append(String(decoding: bytes.dropLast(), as: UTF8.self))
        }
    }
}
