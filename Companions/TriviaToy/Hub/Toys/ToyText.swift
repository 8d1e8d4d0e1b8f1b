import Localization
import TriviaToyEngine

/// The words about toys and their messages.
enum ToyText {
    /// The reason why a message of a toy was not understood, for whoever looks after it.
    static func refused(_ fault: MessageFault) -> LocalizedText {
        switch fault {
        case .unknownVersion(let version):
            LocalizedText(
                "The toy speaks version \(Int(version)) of the messages, and this hub version 1. Update the older of the two."
            )
        case .cutOff(let count):
            LocalizedText("The message ends after \(count) bytes, in the middle. The toy sends it again.")
        case .trailingBytes(let count):
            LocalizedText("The message has \(count) bytes too many. Update the toy’s firmware.")
        case .outOfRange, .textTooLong, .textNotUTF8:
            LocalizedText("The message says something that cannot be. Update the toy’s firmware.")
        }
    }

    /// The words about what a toy says does not work.
    static func words(_ faults: StatusReport.Faults) -> [LocalizedText] {
        var words: [LocalizedText] = []
        if faults.contains(.accelerometer) {
            words.append(LocalizedText("It does not feel throws: its motion sensor does not answer. Its buttons work."))
        }
        if faults.contains(.speech) {
            words.append(LocalizedText("It cannot speak: its speech module does not answer."))
        }
        if faults.contains(.store) {
            words.append(LocalizedText("It cannot store new facts. It speaks those that it has."))
        }
        if faults.contains(.radio) { words.append(LocalizedText("Its Wi-Fi had to be started again.")) }
        return words
    }
}
