import HTTPTypes
import Storage

extension ActiveSessionRoutes {
    /// Adds the route that takes a session whole, `/api/<companion>/sessions`: one of which the hub has nothing, from an outbox or
    /// a program. It goes the same way as those that come in chunks.
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
}
