import HTTPTypes
import Storage

extension ActiveSessionRoutes {
    /// Adds the route that receives a whole session, `/api/<companion>/sessions`.
    package func addWhole(to routes: Routes) {
        let sessions = sessions
        routes.post(
            "/api/\(Definition.companion)/sessions", .member, Definition.deliverySummary,
            media: "application/octet-stream"
        ) { request in
            let bytes = try await request.sessionBytes(
                upTo: sessions.limits.sessionBytes, events: Definition.mostEvents)
            let content = sessions.definition.content(ofSealed: bytes) ?? bytes
            // Read and played through before the transaction, which others wait for.
            let session = Result { () throws(Problem) in
                sessions.definition.closed(try sessions.definition.session(content, isComplete: true))
            }
            return try await sessions.deliver(session, request)
        }
    }
}
