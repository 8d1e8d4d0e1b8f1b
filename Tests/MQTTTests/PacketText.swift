import MQTT
import NIOCore

/// Packets in words, as the case files spell them.
extension Packet {
    var words: String {
        switch self {
        case .connect(let connect): connect.words
        case .connack(let isPresent, let code): "CONNACK \(code.rawValue)" + (isPresent ? " present" : "")
        case .publish(let publish): publish.words
        case .puback(let id): "PUBACK \(id)"
        case .pubrec(let id): "PUBREC \(id)"
        case .pubrel(let id): "PUBREL \(id)"
        case .pubcomp(let id): "PUBCOMP \(id)"
        case .subscribe(let subscribe):
            "SUBSCRIBE \(subscribe.packetID)"
                + subscribe.subscriptions.map { " \($0.filter):\($0.qualityOfService.rawValue)" }.joined()
        case .suback(let id, let codes): "SUBACK \(id)" + codes.map { " " + hex([$0.rawValue]) }.joined()
        case .unsubscribe(let unsubscribe):
            "UNSUBSCRIBE \(unsubscribe.packetID)" + unsubscribe.filters.map { " \($0)" }.joined()
        case .unsuback(let id): "UNSUBACK \(id)"
        case .pingreq: "PINGREQ"
        case .pingresp: "PINGRESP"
        case .disconnect: "DISCONNECT"
        }
    }
}

extension Connect {
    fileprivate var words: String {
        var words = "CONNECT id=\(clientID)" + (isCleanSession ? " clean" : "") + " keepAlive=\(keepAliveSeconds)"
        if let will {
            words += " will=\(will.topic):q\(will.qualityOfService.rawValue):" + (will.retain ? "retain:" : "")
            words += hex(will.payload)
        }
        if let userName { words += " user=\(userName)" }
        if let password { words += " password=" + hex(password) }
        return words
    }
}

extension Publish {
    fileprivate var words: String {
        "PUBLISH \(String(buffer: topic)) q\(qualityOfService.rawValue)" + (packetID.map { " id=\($0)" } ?? "")
            + (retain ? " retain" : "") + (isDuplicate ? " dup" : "") + " " + hex(Array(buffer: payload))
    }
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
