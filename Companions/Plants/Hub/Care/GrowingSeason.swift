import Foundation
import HubKit

/// The months in which house plants grow and are fed: March to October in the north, September to April in the south.
enum GrowingSeason: Sendable {
    case northern, southern

    /// Finds the season of a place.
    ///
    /// - Parameter timeZone: of the household. Between the tropics plants grow all the year: the north's months do no
    ///   harm.
    init(timeZone: TimeZone) {
        self = Self.isSouthern(timeZone.identifier) ? .southern : .northern
    }

    /// The season's first month, and the number of its months.
    private var begin: Int { self == .northern ? 3 : 9 }
    private static let months = 8

    /// The day itself, or where it lies in winter the first day of the season after it.
    func day(atOrAfter day: Int) -> Int {
        let date = CivilDate(day: Int32(clamping: day))
        guard (date.month - begin + 12) % 12 >= Self.months else { return day }
        let year = date.month > begin ? date.year + 1 : date.year
        return CivilDate(year: year, month: begin, dayOfMonth: 1).map { Int($0.day) } ?? day
    }

    /// Whether a zone lies south of the tropics, by the coordinates that the IANA time zone database gives in
    /// zone1970.tab.
    private static func isSouthern(_ zone: String) -> Bool {
        ["Australia/", "Antarctica/", "America/Argentina/"].contains { zone.hasPrefix($0) }
            || southernZones.contains(zone)
    }

    private static let southernZones: Set = [
        "Africa/Gaborone", "Africa/Johannesburg", "Africa/Maputo", "Africa/Maseru", "Africa/Mbabane", "Africa/Windhoek",
        "America/Asuncion", "America/Buenos_Aires", "America/Coyhaique", "America/Montevideo", "America/Punta_Arenas",
        "America/Santiago", "America/Sao_Paulo", "Atlantic/South_Georgia", "Atlantic/Stanley", "NZ", "NZ-CHAT",
        "Pacific/Auckland", "Pacific/Chatham", "Pacific/Norfolk",
    ]
}
