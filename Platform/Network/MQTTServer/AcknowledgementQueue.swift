import MQTT
import NIOCore

/// The acknowledgements of one connection: they collect until the delegate seals its batch, and are sent in one write once
/// that is durable.
struct AcknowledgementQueue {
    /// The messages of one batch that are not stored yet.
    struct Batch {
        /// PUBACKs that a client of MQTT 5.0 waits for.
        var pubacks = 0
        /// Packet ids of messages of QoS 2.
        var received: [UInt16] = []
        /// The readings of messages that are retained, with their topics.
        var readings: [(reading: RetainedReading, topic: ByteBuffer)] = []
    }

    /// The commit that is asked of the delegate.
    private enum Commit {
        case none
        /// A commit that the delegate has to be asked for, since something was collected.
        case due
        /// The delegate was asked, and has not sealed its batch; more was collected since, or not.
        case requested(isDue: Bool)
    }

    /// The wait of a CONNACK or SUBACK that nothing may overtake.
    private enum Hold {
        case none
        /// A wait for the batch that is not sealed yet.
        case unsealed
        /// A wait for so many of the batches under way.
        case batches(Int)
    }

    private var bytes = ByteBuffer()
    private var collecting = Batch()
    /// The batches that are sealed and not committed yet, the oldest first.
    private var underWay: [Batch] = []
    private var commit = Commit.none
    private var hold = Hold.none
    /// Packet ids of messages of QoS 2 that a client of MQTT 5.0 sent on this connection, and has not released.
    private var unreleased: Set<UInt16> = []

    /// The number of bytes that wait to be sealed.
    var readableBytes: Int { bytes.readableBytes }

    /// Whether nothing waits for a commit.
    var isSettled: Bool {
        guard case .none = commit else { return false }
        return underWay.isEmpty
    }

    /// Whether an answer that nothing may overtake waits for a commit.
    var isHolding: Bool {
        guard case .none = hold else { return true }
        return false
    }

    /// The number of messages of a client of MQTT 5.0 that count against its receive maximum (section 4.9).
    var unacknowledged: Int { underWay.reduce(collecting.pubacks + unreleased.count) { $0 + $1.pubacks } }

    // MARK: Collecting

    /// Adds a packet.
    ///
    /// - Parameter holds: whether nothing may overtake it.
    mutating func append(holds: Bool = false, _ write: (inout ByteBuffer) -> Void) {
        write(&bytes)
        noteDue()
        if holds { hold = .unsealed }
    }

    /// Adds a PUBACK.
    ///
    /// - Parameter isCounted: whether it counts against a receive maximum.
    mutating func appendPuback(_ packetID: UInt16, isCounted: Bool) {
        if isCounted { collecting.pubacks += 1 }
        Packet.writePuback(packetID, into: &bytes)
    }

    /// Notes a message of QoS 2 that is stored by the next commit.
    mutating func noteReceived(_ packetID: UInt16) { collecting.received.append(packetID) }

    /// Notes the reading of a retained message, which counts once its commit is done.
    mutating func note(_ reading: RetainedReading, topic: ByteBuffer) { collecting.readings.append((reading, topic)) }

    /// Notes that a client of MQTT 5.0 has a message of QoS 2 to release.
    mutating func noteUnreleased(_ packetID: UInt16) { unreleased.insert(packetID) }

    /// Notes that it has released it.
    mutating func release(_ packetID: UInt16) { unreleased.remove(packetID) }

    /// Notes that something waits for the next commit.
    mutating func noteDue() {
        switch commit {
        case .none: commit = .due
        case .requested: commit = .requested(isDue: true)
        case .due: break
        }
    }

    // MARK: Committing

    /// The request to the delegate.
    enum Request {
        /// No request, since nothing was collected.
        case none
        /// The batch that it was asked for has room for the rest.
        case included
        case commit
    }

    /// Takes what is due.
    mutating func takeRequest() -> Request {
        switch commit {
        case .none, .requested(isDue: false): return .none
        case .requested(isDue: true):
            commit = .requested(isDue: false)
            return .included
        case .due:
            commit = .requested(isDue: false)
            return .commit
        }
    }

    /// Hands over the bytes for the batch that is about to be committed.
    mutating func seal() -> ByteBuffer {
        if case .requested(isDue: true) = commit { commit = .due } else { commit = .none }
        underWay.append(collecting)
        collecting = Batch()
        if case .unsealed = hold { hold = .batches(underWay.count) }
        defer { bytes = ByteBuffer() }
        return bytes
    }

    /// Removes the oldest batch under way, which is committed or has failed.
    mutating func settle() -> Batch { underWay.isEmpty ? Batch() : underWay.removeFirst() }

    /// Counts a commit for the answer that nothing may overtake.
    ///
    /// - Returns: whether it was awaited.
    mutating func countCommit() -> Bool {
        guard case .batches(let count) = hold else { return false }
        hold = count > 1 ? .batches(count - 1) : .none
        return true
    }
}
