import Crypto
import Foundation
import HTTPTypes
import NIOCore

/// Calendars of reminders: their addresses, and what is behind them.
struct CalendarFeedRoutes: Sendable {
    let feeds: CalendarFeeds
    private let guesses: GuessLimits

    init(house: House) {
        feeds = CalendarFeeds(house: house)
        // Of its own: who guesses calendars keeps nobody from signing in.
        guesses = GuessLimits(house.hub.settings.accountLimits)
    }

    func add(to routes: Routes) {
        let feeds = feeds
        routes.get("/api/calendar-feeds", .adult, "The addresses at which reminders are read as a calendar.") { visit in
            let listed = try await feeds.list(household: visit.member.household)
            return try .json(FeedsReply(feeds: listed.map(FeedsReply.Feed.init)))
        }
        routes.post(
            "/api/calendar-feeds", .adult,
            "Makes an address at which reminders are read as a calendar. It is told this once. Without people it shows everybody’s.",
            takes: FeedBody.self
        ) { visit, body in
            let (id, token) = try await feeds.make(for: body.people, by: visit.member)
            let url = "\(visit.origin)/calendar/\(token).ics"
            return try .created(NewFeedReply(id: id, url: url, qr: QRCodeReply(url)))
        }
        routes.delete("/api/calendar-feeds/{id}", .adult, "Takes an address away: whoever reads it is told no more.") {
            visit in
            try await feeds.remove(visit.path("id"), household: visit.member.household)
            return .nothing
        }
        let guesses = guesses
        routes.get("/calendar/{token}.ics", .anyone, "Reminders as a calendar (iCalendar, RFC 5545).") { visit in
            let key = visit.address
            do throws(Problem) {
                try guesses.admit(address: key, now: visit.hub.clock.now())
            } catch {
                var problem = error
                problem.field = nil
                throw problem
            }
            guard let bytes = try await feeds.read(token: visit.path("token"), origin: visit.origin) else {
                throw Problem.notFound("calendar")
            }
            guesses.succeeded(address: key)
            let tag = "\"\(Base64URL.text(Data(SHA256.hash(data: bytes))))\""
            let headers: HTTPFields = [.eTag: tag, .cacheControl: "private, no-cache"]
            let asked = visit.request.headers[.ifNoneMatch] ?? ""
            if asked == "*" || asked.contains(tag) {
                return Reply<File<CalendarMedia>>.unchanged(headers: headers)
            }
            return .file(ByteBuffer(bytes: bytes), CalendarMedia.iCalendar, headers: headers)
        }
    }
}

private enum CalendarMedia: FileMedia {
    case iCalendar
    var mediaType: String { "text/calendar; charset=utf-8" }
}

private struct FeedBody: Decodable { var people: [String]? }

private struct NewFeedReply: Codable {
    var id, url: String
    var qr: QRCodeReply?
}

private struct FeedsReply: Codable {
    struct Feed: Codable {
        var id: String
        var people: [String]
        var isEverybody: Bool
        var createdAt: Int64
        var readAt: Int64?

        init(_ listed: CalendarFeeds.Listed) {
            id = listed.record.id
            people = listed.people
            isEverybody = listed.record.isEverybody
            createdAt = listed.record.createdAt
            readAt = listed.record.readAt
        }
    }
    var feeds: [Feed]
}
