import GRDB
import HTTPTypes
import NIOCore
import Storage

// Sessions that come whole: from pages of an earlier version, from outboxes in which they wait, and from programs. They go
// the same way as those that come in chunks.
extension ActiveSessionRoutes {
    /// Adds the route that receives a whole session, `/api/<companion>/sessions`.
    package func addWhole(to routes: Routes) {
        let sessions = sessions
        routes.post(
            "/api/\(Format.companion)/sessions", .member, Format.deliverySummary, media: "application/octet-stream"
        ) { request in
            let content = try await request.sessionBytes(
                upTo: sessions.limits.sessionBytes, events: Format.mostEvents)
            // Read and played through before the transaction, which others wait for.
            let session = Result { () throws(Problem) in
                sessions.format.closed(try sessions.format.session(content))
            }
            return try await sessions.deliver(session, request)
        }
    }

    /// Adds the routes by which a page of an earlier version reports an active session, each time with all of it:
    /// `/api/<companion>/running/{id}`.
    ///
    /// - Parameters:
    ///   - routes: the companion's routes.
    ///   - count: the number of events of a session, for the response.
    public func addRunning(to routes: Routes, count: @escaping @Sendable (Format.Session) -> Int) {
        let sessions = sessions
        let path = "/api/\(Format.companion)/running/{id}"
        routes.on(
            .put, path, .member,
            "Keeps how far a session is that goes on, all of it; what is sent goes on from what is kept. What is new appends to `/api/\(Format.companion)/active/{id}`.",
            media: "application/octet-stream", isCounted: false
        ) { request in
            let content = try await request.sessionBytes(
                upTo: sessions.limits.sessionBytes, events: Format.mostEvents)
            let id = try request.path("id")
            do {
                let (change, session) = try await sessions.put(content, to: id, by: try request.member)
                return try .json(StoredPart(id: id, events: count(session), isNew: change == .begun))
            } catch let conflict as ActiveSessions<Format>.Conflict {
                throw conflict.problem
            }
        }
        routes.get(path, .member, "The content so far of a session that goes on, to go on with it.") { request in
            let (_, recording) = try await sessions.recording(try request.path("id"), for: try request.member)
            let content = (try? sessions.format.content(ofRecording: recording, isComplete: false)) ?? recording
            return .file(ByteBuffer(bytes: content), EngineBytes.octets)
        }
        routes.delete(
            path, .member,
            "Ends a session that goes on, as the hub does when nobody goes on with it; answers with the session, to who may not look at it with what names it alone."
        ) { request in
            try await sessions.end(try request.path("id"), by: try request.member)
        }
    }
}

private struct StoredPart: Codable {
    var id: String
    /// The number of its events that the hub has.
    var events: Int
    var isNew: Bool
}
