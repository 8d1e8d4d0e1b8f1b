import Board
import CortexM
import DeviceHAL
import EngineLines

/// Answers the lines of an engine's vector files over the console: a line comes after its length, two bytes, the lowest first; its
/// answer goes after its length, four bytes. The length 65535 makes an engine that remembers nothing.
@c(firmware_main)
func firmwareMain() {
    var line = SerialPort.console
    var engine = EngineVector()
    while true {
        let count = Int(wait(&line)) | Int(wait(&line)) << 8
        guard count != 65_535 else {
            engine = EngineVector()
            continue
        }
        var question: [UInt8] = []
        for _ in 0..<count { question.append(wait(&line)) }
        let answer = engine.answer(question)
        for shift in [0, 8, 16, 24] { line.send(UInt8(truncatingIfNeeded: answer.count >> shift)) }
        for byte in answer { line.send(byte) }
    }
}

private func wait(_ line: inout SerialPort) -> UInt8 {
    while true {
        if let byte = line.receive() { return byte }
    }
}

/// SwiftPM links an executable by its `main`, which nothing calls: the linker takes it out again.
@main
enum Entry {
    static func main() { firmwareMain() }
}
