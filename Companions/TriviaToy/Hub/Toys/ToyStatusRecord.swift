import HubKit
import Storage
import TriviaToyEngine

/// The state of a toy when it said so last.
struct ToyStatusRecord: Storage.TableRecord {
    static let databaseTableName = "toy_status"

    var device: String
    var household: String
    /// UTC milliseconds.
    var at: Int64
    var batteryMillivolts: Int
    var batteryPercent: Int
    /// The bits of ``StatusReport/Faults``.
    var faults: Int
    var stored: Int
    var unheard: Int
    /// The number of facts that it has room for.
    var wanted: Int
    var unreported: Int
    /// Plays whose reports it had no room for while the hub was away.
    var lost: Int64
    /// The volume in decibels.
    var volume: Int
    var firmware: Int

    init(_ toy: DeviceRecord, _ status: StatusReport, at: Int64) {
        device = toy.id
        household = toy.household
        self.at = at
        batteryMillivolts = Int(status.batteryMillivolts)
        batteryPercent = Int(status.batteryPercent)
        faults = Int(status.faults.rawValue)
        stored = Int(status.storedFacts)
        unheard = Int(status.unheardFacts)
        wanted = Int(status.wanted)
        unreported = Int(status.unreported)
        lost = Int64(status.lostReports)
        volume = Int(status.volume)
        firmware = Int(status.firmware)
    }
}
