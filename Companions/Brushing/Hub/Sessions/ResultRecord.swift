import BrushingEngine
import Storage

/// The result of a session by the hub's engine, from the time when it came.
struct ResultRecord: Storage.TableRecord {
    static let databaseTableName = "brushing_session"

    /// The reason for which a session ended.
    enum Reason: String, Codable, Sendable, CaseIterable {
        case finished, stopped, left

        init(_ end: SessionEnd) {
            self =
                switch end {
                case .finished: .finished
                case .stopped: .stopped
                case .left: .left
                }
        }
    }

    var household: String
    var id: String
    var person: String
    /// The brushing day, in days since 1 January 1970 by the person's clock at that time.
    var day: Int32
    /// The minute of the local day by that clock at which it began.
    var minute: Int32
    var isMorning: Bool
    /// UTC milliseconds.
    var startedAt: Int64
    var brushMilliseconds: Int64
    var flossMilliseconds: Int64
    var rinseMilliseconds: Int64
    var pausedMilliseconds: Int64
    var skipped: Int
    var isComplete: Bool
    var counts: Bool
    var reason: Reason

    /// The time that was brushed, flossed and rinsed.
    var milliseconds: Int64 { brushMilliseconds + flossMilliseconds + rinseMilliseconds }
}
