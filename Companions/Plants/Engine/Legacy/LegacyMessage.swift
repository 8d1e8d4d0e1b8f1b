import Wire

/// A request as the original app publishes it on `rpi/torpi`:
/// `ID:0;sender:iPhone;receiver:Host-RPI3B+;payload:all;operation:REQ_plantSensorData`.
///
/// All texts are UTF-8 bytes as received. Source: DOCUMENTATION.md and host.py of Plant-Tracker 1.0.0.
public struct LegacyRequest: Equatable, Sendable {
    /// The field `ID`; the original never uses it, nor does this.
    public var id: [UInt8]
    /// The field `sender`: the name of the app's device, which is also the name of its garden.
    public var sender: [UInt8]
    /// The field `receiver`; the original host answers whatever it contains.
    public var receiver: [UInt8]
    /// The field `payload`, whose meaning depends on the operation.
    public var payload: [UInt8]
    /// The field `operation`.
    public var operation: LegacyOperation
    /// The whole message, for the payload of an error.
    public var message: [UInt8]
}

/// The six kinds of requests.
public enum LegacyOperation: UInt8, CaseIterable, Sendable {
    /// The readings of all plants, or of one.
    case plantSensorData
    /// The number of plants.
    case numPlants
    /// Name and sensors of one plant, by index.
    case plantInfoOnStartup
    /// A new plant.
    case addNewPlant
    /// The removal of a plant.
    case deletePlant
    /// A new name for a plant.
    case editPlant

    /// The request's tag.
    public var request: StaticString {
        switch self {
        case .plantSensorData: "REQ_plantSensorData"
        case .numPlants: "REQ_numPlants"
        case .plantInfoOnStartup: "REQ_plantInfoOnStartup"
        case .addNewPlant: "REQ_addNewPlant"
        case .deletePlant: "REQ_deletePlant"
        case .editPlant: "REQ_editPlant"
        }
    }

    /// The tag of the answer. The original sends none for the last three.
    public var response: StaticString {
        switch self {
        case .plantSensorData: "RES_plantSensorData"
        case .numPlants: "RES_numPlants"
        case .plantInfoOnStartup: "RES_plantInfoOnStartup"
        case .addNewPlant: "RES_addNewPlant"
        case .deletePlant: "RES_deletePlant"
        case .editPlant: "RES_editPlant"
        }
    }

    /// Reads a request's tag; the documentation's spelling `REQ_plantInfoOnStatup` is accepted.
    init?(tag: Span<UInt8>) {
        if matches(tag, "REQ_plantInfoOnStatup") {
            self = .plantInfoOnStartup
            return
        }
        for operation in Self.allCases where matches(tag, operation.request) {
            self = operation
            return
        }
        return nil
    }
}

/// The error tags of the original.
public enum LegacyErrorTag: UInt8, CaseIterable, Sendable {
    /// The message does not have the five keys.
    case hashLength
    /// An element without a colon.
    case missingVals
    /// An element with more than one colon.
    case missingKeys
    /// An unknown operation.
    case invalidOpTag
    /// The client has no such plant data.
    case noPlantDataToRequest
    /// The garden is full.
    case tooManyPlants
    /// No plant of that name to delete, or to rename.
    case cannotDeletePlant
    /// A sensor that does not answer.
    case invalidPlantSensorID
    /// Another plant has the name.
    case plantNameTaken
    /// More than fifteen characters.
    case plantNameTooLong
    /// A new plant without sensors. Known to the app, not documented.
    case addPlantSensorNumIssue
    /// The client sent too many messages; the app disconnects when it receives this. Known to the app, not documented.
    case kickedForSpam

    /// The tag as it is sent.
    public var tag: StaticString {
        switch self {
        case .hashLength: "ERR_hashLength"
        case .missingVals: "ERR_missingVals"
        case .missingKeys: "ERR_missingKeys"
        case .invalidOpTag: "ERR_invalidOpTag"
        case .noPlantDataToRequest: "ERR_noPlantDataToRequest"
        case .tooManyPlants: "ERR_tooManyPlants"
        case .cannotDeletePlant: "ERR_cannotDeletePlant"
        case .invalidPlantSensorID: "ERR_invalidPlantSensorID"
        case .plantNameTaken: "ERR_plantNameTaken"
        case .plantNameTooLong: "ERR_plantNameTooLong"
        case .addPlantSensorNumIssue: "ERR_addPlantSensorNumIssue"
        case .kickedForSpam: "ERR_kickedForSpam"
        }
    }
}

/// A message on `rpi/torpi`, as read.
public enum LegacyMessage: Equatable, Sendable {
    /// A request, for the garden of its sender.
    case request(LegacyRequest)
    /// A message that is not understood; `answer` is sent to `client` on `rpi/fromrpi`.
    case failure(LegacyErrorTag, client: [UInt8], answer: [UInt8])
    /// A message without an answer: the host's own echo, a client's `ERR_`, text that is not UTF-8, or far too long.
    case ignored(Reason)

    /// The reason why a message is ignored.
    public enum Reason: UInt8, Sendable {
        /// The sender is the host itself.
        case ownEcho
        /// The message is an error report, which is never answered, so that two sides cannot send each other errors for
        /// ever.
        case errorReport
        /// The message is not UTF-8. The original's decoder throws there, and nothing is sent.
        case notText
        /// The message is longer than ``LegacyMessage/longest``.
        case tooLong
    }

    /// The name of the host in every message.
    public static let host: StaticString = "Host-RPI3B+"
    /// The topic of requests.
    public static let requestTopic: StaticString = "rpi/torpi"
    /// The topic of answers.
    public static let answerTopic: StaticString = "rpi/fromrpi"
    /// The longest message that is read, in bytes; the app's own are far shorter.
    public static let longest = 4_096

    /// Reads a message in the order of the original: elements, then keys, then the operation.
    ///
    /// An answer needs a receiver: if the message is too broken to have a sender, it is `unknown`.
    public static func read(_ bytes: [UInt8]) -> LegacyMessage {
        guard bytes.count <= longest else { return .ignored(.tooLong) }
        guard isUTF8(bytes.span) else { return .ignored(.notText) }
        var fields = Fields()
        var failure: LegacyErrorTag?
        var start = 0
        // To the end even after a fault: only so is it known whom to answer, and whether to answer at all.
        while start <= bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: ";") { end += 1 }
            if let found = fields.take(bytes.span.extracting(start..<end), at: start), failure == nil {
                failure = found
            }
            start = end + 1
        }
        let text = bytes.span
        if let sender = fields.sender, matches(text.extracting(sender), host) { return .ignored(.ownEcho) }
        if let operation = fields.operation, hasPrefix(text.extracting(operation), "ERR_") {
            return .ignored(.errorReport)
        }
        if failure == nil, fields.distinctKeys != 5 { failure = .hashLength }
        guard failure == nil, let id = fields.id, let sender = fields.sender, let receiver = fields.receiver,
            let payload = fields.payload, let tag = fields.operation
        else {
            // Five keys of which one is not among the five the host asks for is no better than four.
            return faulty(failure ?? .hashLength, bytes, fields)
        }
        guard let operation = LegacyOperation(tag: text.extracting(tag)) else {
            return faulty(.invalidOpTag, bytes, fields)
        }
        return .request(
            LegacyRequest(
                id: Array(bytes[id]), sender: Array(bytes[sender]), receiver: Array(bytes[receiver]),
                payload: Array(bytes[payload]), operation: operation, message: bytes))
    }

    private static func faulty(_ tag: LegacyErrorTag, _ bytes: [UInt8], _ fields: Fields) -> LegacyMessage {
        var client = fields.sender.map { Array(bytes[$0]) } ?? []
        if client.isEmpty {
            var text = TextWriter()
            text.write("unknown")
            client = text.bytes
        }
        return .failure(tag, client: client, answer: LegacyAnswer.error(tag, to: client, about: bytes))
    }

    /// The ranges of the five values.
    private struct Fields {
        var id: Range<Int>?
        var sender: Range<Int>?
        var receiver: Range<Int>?
        var payload: Range<Int>?
        var operation: Range<Int>?
        var otherKeys: [[UInt8]] = []

        var distinctKeys: Int {
            (id == nil ? 0 : 1) + (sender == nil ? 0 : 1) + (receiver == nil ? 0 : 1) + (payload == nil ? 0 : 1)
                + (operation == nil ? 0 : 1) + otherKeys.count
        }

        /// Reads `key:value`; as in a dictionary, a later value replaces an earlier one.
        mutating func take(_ element: Span<UInt8>, at offset: Int) -> LegacyErrorTag? {
            var colon: Int?
            for index in 0..<element.count where element[index] == UInt8(ascii: ":") {
                if colon != nil {
                    // The payload of an error report may hold anything; its operation still says what it is.
                    return .missingKeys
                }
                colon = index
            }
            guard let colon else { return .missingVals }
            let key = element.extracting(0..<colon)
            let value = offset + colon + 1..<offset + element.count
            if matches(key, "ID") {
                id = value
            } else if matches(key, "sender") {
                sender = value
            } else if matches(key, "receiver") {
                receiver = value
            } else if matches(key, "payload") {
                payload = value
            } else if matches(key, "operation") {
                operation = value
            } else if otherKeys.count < 8 {
                var name: [UInt8] = []
                for index in 0..<key.count { name.append(key[index]) }
                if !otherKeys.contains(name) { otherKeys.append(name) }
            }
            return nil
        }
    }
}
