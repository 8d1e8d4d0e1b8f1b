import MQTT
import NIOCore

/// Packets in words, as the case files spell them.
extension Packet {
    var words: String {
        switch self {
        case .connect(let connect): connect.words
        case .connack(let connack): connack.words
        case .publish(let publish): publish.words
        case .puback(let acknowledgement): "PUBACK " + acknowledgement.words
        case .pubrec(let acknowledgement): "PUBREC " + acknowledgement.words
        case .pubrel(let acknowledgement): "PUBREL " + acknowledgement.words
        case .pubcomp(let acknowledgement): "PUBCOMP " + acknowledgement.words
        case .subscribe(let subscribe):
            "SUBSCRIBE \(subscribe.packetID)"
                + subscribe.subscriptions.map { " \($0.filter):" + $0.options.words }.joined()
                + (subscribe.identifier.map { " identifier=\($0)" } ?? "")
        case .suback(let id, let codes, let text):
            "SUBACK \(id)" + codes.map { " " + hex([$0.rawValue]) }.joined() + (text.map { " reason=\($0)" } ?? "")
        case .unsubscribe(let unsubscribe):
            "UNSUBSCRIBE \(unsubscribe.packetID)" + unsubscribe.filters.map { " \($0)" }.joined()
        case .unsuback(let id, let codes): "UNSUBACK \(id)" + codes.map { " " + hex([$0.rawValue]) }.joined()
        case .pingreq: "PINGREQ"
        case .pingresp: "PINGRESP"
        case .disconnect(let disconnect): disconnect.words
        case .auth: "AUTH"
        }
    }
}

extension Acknowledgement {
    fileprivate var words: String {
        "\(packetID)" + (reason == .success ? "" : " " + hex([reason.rawValue]))
            + (reasonString.map { " reason=\($0)" } ?? "")
    }
}

extension Disconnect {
    fileprivate var words: String {
        "DISCONNECT" + (reason == .success ? "" : " " + hex([reason.rawValue]))
            + (sessionExpirySeconds.map { " expiry=\($0)" } ?? "") + (reasonString.map { " reason=\($0)" } ?? "")
    }
}

extension ConnectAcknowledgement {
    fileprivate var words: String {
        "CONNACK " + (reason.isError ? hex([reason.rawValue]) : "\(reason.rawValue)")
            + (isSessionPresent ? " present" : "") + properties.words
    }
}

extension ConnectAcknowledgement.Properties {
    fileprivate var words: String {
        (sessionExpirySeconds.map { " expiry=\($0)" } ?? "") + (receiveMaximum.map { " receive=\($0)" } ?? "")
            + (maximumQualityOfService.map { " quality=\($0.rawValue)" } ?? "")
            + (isRetainAvailable ? "" : " retain=no") + (maximumPacketBytes.map { " packet=\($0)" } ?? "")
            + (assignedClientID.map { " id=\($0)" } ?? "") + (topicAliasMaximum.map { " aliases=\($0)" } ?? "")
            + (reasonString.map { " reason=\($0)" } ?? "")
            + (serverKeepAliveSeconds.map { " keepAlive=\($0)" } ?? "")
    }
}

extension SubscriptionOptions {
    fileprivate var words: String {
        "\(qualityOfService.rawValue)" + (noLocal ? ":nolocal" : "") + (retainAsPublished ? ":aspublished" : "")
            + (retainHandling == .send ? "" : ":handling\(retainHandling.rawValue)")
    }
}

extension PublishProperties {
    fileprivate var words: String {
        (topicAlias.map { " alias=\($0)" } ?? "") + (expirySeconds.map { " expiry=\($0)" } ?? "")
            + subscriptionIdentifiers.map { " identifier=\($0)" }.joined()
            + (forwarded.readableBytes == 0 ? "" : " forwarded=" + hex(Array(buffer: forwarded)))
    }
}

extension Connect {
    fileprivate var words: String {
        let level = version == .v311 ? "" : version == .v5 ? "5" : "3.1"
        var words =
            "CONNECT\(level) id=\(clientID)" + (isCleanSession ? " clean" : "") + " keepAlive=\(keepAliveSeconds)"
        if let will {
            words += " will=\(will.topic):q\(will.qualityOfService.rawValue):" + (will.retain ? "retain:" : "")
            words += hex(will.payload)
            if will.delaySeconds > 0 { words += " delay=\(will.delaySeconds)" }
            words += will.properties?.words ?? ""
        }
        if version == .v5 { words += properties.words }
        if let userName { words += " user=\(userName)" }
        if let password { words += " password=" + hex(password) }
        return words
    }
}

extension ConnectProperties {
    fileprivate var words: String {
        (sessionExpirySeconds == 0 ? "" : " expiry=\(sessionExpirySeconds)")
            + (receiveMaximum == .max ? "" : " receive=\(receiveMaximum)")
            + (maximumPacketBytes.map { " packet=\($0)" } ?? "")
            + (topicAliasMaximum == 0 ? "" : " aliases=\(topicAliasMaximum)")
            + (requestsProblemInformation ? "" : " problems=no") + (requestsResponseInformation ? " response" : "")
            + (authenticationMethod.map { " method=\($0)" } ?? "")
    }
}

extension Publish {
    fileprivate var words: String {
        "PUBLISH \(String(buffer: topic)) q\(qualityOfService.rawValue)" + (packetID.map { " id=\($0)" } ?? "")
            + (retain ? " retain" : "") + (isDuplicate ? " dup" : "") + (properties?.words ?? "") + " "
            + hex(Array(buffer: payload))
    }
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
