import BrushingEngine
import GRDB
import HTTPTypes
import HubKit
import Storage

/// The route to one session with its steps.
struct SessionDetailRoutes: Sendable {
    func add(to routes: Routes) {
        routes.get(
            "/api/brushing/sessions/{id}", .member,
            "A session, with what was planned and done of each step; without, where today’s engine cannot tell any more."
        ) { request in
            let id = try request.path("id")
            let (hub, member) = (request.hub, try request.member)
            let now = hub.clock.now()
            let (response, record) = try await hub.database.pool.read { db in
                let response = try BrushingSessionResponse.find(id, household: member.household, db)
                _ = try Subject.read(response.person, by: member, hub, now: now, db)
                guard let record = try Sessions.find(id, household: member.household, db) else {
                    throw Problem.notFound("There is no session here. It may have been removed.")
                }
                return (response, record)
            }
            return try .json(
                SessionWithSteps(response, record.intactContent.flatMap { try? BrushingSession.decoded($0) }))
        }
    }
}

/// A session with its steps.
private struct SessionWithSteps: Codable {
    /// A repetition of a step.
    struct Step: Codable {
        var kind: String
        /// The repetition, from 1, of `repetitions`.
        var repetition, repetitions: Int
        /// The place in the mouth, from 0 with the clock from the upper left: a quarter has one place, or two of eight.
        var place: Int
        var plannedSeconds, doneSeconds: Int64
    }

    var session: BrushingSessionResponse
    /// The session's steps; nil where a later engine refuses the events. The result from the time when it came stands
    /// all the same.
    var steps: [Step]?

    private enum CodingKeys: CodingKey { case steps }

    init(_ response: BrushingSessionResponse, _ session: BrushingSession?) {
        self.session = response
        steps = session.map { session in
            zip(session.segments, session.segmentMilliseconds).map { segment, milliseconds in
                Step(
                    kind: segment.kind.name, repetition: segment.repetition, repetitions: segment.repetitions,
                    place: segment.place,
                    plannedSeconds: BrushingSessionResponse.seconds(segment.milliseconds),
                    doneSeconds: BrushingSessionResponse.seconds(milliseconds))
            }
        }
    }

    init(from decoder: any Decoder) throws {
        session = try BrushingSessionResponse(from: decoder)
        steps = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent([Step].self, forKey: .steps)
    }

    func encode(to encoder: any Encoder) throws {
        try session.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(steps, forKey: .steps)
    }
}
