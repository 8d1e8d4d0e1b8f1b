/// The watch over the counter of one device's encrypted advertisements, which may not go back.
///
/// BTHome leaves the check to the receiver (bthome.io/encryption). As Home Assistant's receiver does, a counter below 100
/// is taken for a new beginning, after a battery was changed or the highest number was reached.
public struct ReplayGuard: Equatable, Sendable {
    /// The judgement of a counter.
    public enum Judgement: UInt8, Equatable, Sendable {
        /// The counter is higher than the last one, or the first.
        case new
        /// The counter is that of the last one: heard again, with nothing new in it.
        case repeated
        /// The counter began anew.
        case restarted
        /// The counter went back: an old advertisement that somebody sends again, or that came late.
        case replayed
    }

    /// Counters below this are a new beginning.
    public static let restart: UInt32 = 100

    /// The last counter that was accepted; nil before the first.
    public private(set) var last: UInt32?

    /// Creates the watch.
    /// - Parameter last: the last counter that was accepted before, where it was stored.
    public init(last: UInt32? = nil) { self.last = last }

    /// Judges the counter of an advertisement that was opened with the key, and remembers it unless it was replayed.
    public mutating func judge(_ counter: UInt32) -> Judgement {
        guard let last else {
            self.last = counter
            return .new
        }
        if counter == last { return .repeated }
        guard counter > last || counter < Self.restart else { return .replayed }
        self.last = counter
        return counter > last ? .new : .restarted
    }
}
