import Foundation
import HubKit

extension CalendarText {
    /// A time zone by its changes one by one (RFC 5545, 3.6.5): whatever their rule is, or if they have none, every
    /// reader comes to the same moments.
    ///
    /// - Parameters:
    ///   - from: before everything that refers to the zone, UTC milliseconds.
    ///   - to: up to where changes are written.
    mutating func add(_ calendar: LocalCalendar, from: Int64, to: Int64) {
        let name = calendar.timeZone.identifier
        let changes = calendar.changes(from: from, to: to)
        component("VTIMEZONE") { text in
            text.add("TZID", name)
            text.add("X-LIC-LOCATION", name)
            let first = calendar.offset(at: from)
            text.observance(
                .init(before: first, after: first, isDaylight: calendar.isDaylight(at: from)), onsets: [from])
            let kinds = Dictionary(grouping: changes) { change in
                Observance(before: change.before, after: change.after, isDaylight: calendar.isDaylight(at: change.at))
            }
            for (kind, changes) in kinds.sorted(by: { $0.value[0].at < $1.value[0].at }) {
                text.observance(kind, onsets: changes.map(\.at))
            }
        }
    }

    private struct Observance: Hashable {
        /// Milliseconds east of Greenwich.
        var before, after: Int64
        var isDaylight: Bool
    }

    private mutating func observance(_ kind: Observance, onsets: [Int64]) {
        // Onsets are written by the clock as it was before.
        let shown = onsets.map { Self.wall($0 + kind.before) }
        component(kind.isDaylight ? "DAYLIGHT" : "STANDARD") { text in
            text.add("DTSTART", shown[0])
            text.add("TZOFFSETFROM", Self.offset(kind.before))
            text.add("TZOFFSETTO", Self.offset(kind.after))
            for later in shown.dropFirst() { text.add("RDATE", later) }
        }
    }
}

extension LocalCalendar {
    fileprivate func isDaylight(at time: Int64) -> Bool { timeZone.isDaylightSavingTime(for: Date(milliseconds: time)) }
}
