import BrushingEngine
import Storage

/// What the hub's engine made of a session when it came.
struct ResultRecord: Storage.TableRecord {
    static let databaseTableName = "brushing_session"

    /// Why a session ended.
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
    /// Of the local day by that clock, when it began.
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

    /// Brushed, flossed and rinsed.
    var milliseconds: Int64 { brushMilliseconds + flossMilliseconds + rinseMilliseconds }
}
