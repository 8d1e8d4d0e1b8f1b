import Crypto
import Foundation
import HTTPTypes
import HubKit
import NIOCore

/// Calendars of reminders: their addresses, and what is behind them.
struct CalendarFeedRoutes: Sendable {
    let feeds: CalendarFeeds
    private let guesses: RateLimiter

    init(context: ReminderContext) {
        feeds = CalendarFeeds(context: context)
        // Of its own: who guesses calendars keeps nobody from signing in.
        let limits = context.hub.settings.accountLimits
        guesses = RateLimiter(limits.address, capacity: limits.remembered)
    }

    func add(to routes: Routes) {
        routes.get("/api/calendar-feeds", .adult, "The addresses at which reminders are read as a calendar.") {
            request in
            let listed = try await feeds.list(household: request.member.household)
            return try .json(FeedsResponse(feeds: listed.map(FeedsResponse.Feed.init)))
        }
        routes.post(
            "/api/calendar-feeds", .adult,
            "Makes an address at which reminders are read as a calendar. It is told this once. Without people it shows everybody’s.",
            takes: FeedBody.self
        ) { request, body in
            let (id, token) = try await feeds.make(for: body.people, by: request.member)
            let url = "\(request.origin)/calendar/\(token).ics"
            return try .created(NewFeedResponse(id: id, url: url, qr: QRCodeResponse(url)))
        }
        routes.delete("/api/calendar-feeds/{id}", .adult, "Takes an address away: whoever reads it is told no more.") {
            request in
            try await feeds.remove(request.path("id"), household: request.member.household)
            return .nothing
        }
        routes.get("/calendar/{token}.ics", .anyone, "Reminders as a calendar (iCalendar, RFC 5545).") { request in
            let key = request.address
            do throws(RateLimiter.Wait) {
                try guesses.take(key, now: request.hub.clock.now())
            } catch {
                throw Problem.tooManyTries(error)
            }
            guard let bytes = try await feeds.read(token: request.path("token"), origin: request.origin) else {
                throw Problem.notFound("There is no calendar here. It may have been removed.")
            }
            guesses.forget(key)
            let tag = "\"\(Base64URL.text(Data(SHA256.hash(data: bytes))))\""
            let headers: HTTPFields = [.eTag: tag, .cacheControl: "private, no-cache"]
            if request.httpRequest.headers.holds(tag: tag) {
                return APIResponse<File<CalendarMedia>>.unchanged(headers: headers)
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

private struct NewFeedResponse: Codable {
    var id, url: String
    var qr: QRCodeResponse?
}

private struct FeedsResponse: Codable {
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
