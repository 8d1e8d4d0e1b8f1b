import Foundation
import HTTPTypes
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("What a child sees of a sibling: the platform’s routes")
struct SiblingRouteTests {
    /// What everybody of the household sees of anybody.
    private static let person: Set<String> = ["id", "name", "role", "face"]

    @Test("Every route for all of the household gives a child of a sibling what the policy says, and no more")
    func walk() async throws {
        let test = try TestHub()
        let client = try await HTTPTestClient(test)
        let adult = try await test.seed()
        let accounts = test.services.accounts
        let mila = try await accounts.addChild(
            household: adult.household, name: "Mila", birthYear: 2017, face: "fox")
        let theo = try await accounts.addChild(household: adult.household, name: "Theo", birthYear: 2019, face: "owl")
        _ = try await accounts.change(
            person: mila.id, .init(timeZone: .some("Asia/Tokyo")), household: adult.household)
        let token = try await client.token(adult)
        let walk = SiblingWalk(about: mila.id) { path in
            !path.hasPrefix("/api/beats")
        } send: { method, path, body, bytes in
            try await client.send(method, path, body, bytes: bytes, token: token)
        }
        _ = try await client.send(
            .put, "/api/session/profile", "{\"personID\":\"\(theo.id)\"}", token: token)
        let reminder = "/api/reminders/beats/none/\(mila.id)"
        let faults = try await walk.faults([
            "GET /api/session": .says(Self.person, "/api/session"),
            // Who it is, is changed: each child may say to be there.
            "PUT /api/session/profile": .household,
            "DELETE /api/session": .household,
            "POST /api/session/confirm": .refused("/api/session/confirm", "{\"password\":\"correct horse\"}"),
            "GET /api/people": .says(Self.person, "/api/people"),
            "GET /api/hub": .household,
            "GET /api/devices": .household,
            "GET /api/devices/{id}": .household,
            "GET /api/device-kinds": .household,
            "GET /api/firmware": .household,
            // That it is time for something daily, without the words of how they do.
            "GET /api/reminders": .says(
                ["id", "person", "title", "path", "at", "firedAt"], "/api/reminders"),
            "PUT /api/reminders/{id}/{name}/{person}": .refused(reminder, "{\"isOn\":true}"),
            "POST /api/reminders/{id}/{name}/{person}/try": .refused(reminder + "/try"),
            "PUT /api/reminders/{id}/rules": .refused("/api/reminders/\(mila.id)/rules", "{\"isQuiet\":true}"),
            "GET /api/reminders/{id}/events": .refused("/api/reminders/\(mila.id)/events"),
            "POST /api/reminders/{id}/snooze": .refused("/api/reminders/\(mila.id)/snooze", "{}"),
            "POST /api/reminders/{id}/dismiss": .refused("/api/reminders/\(mila.id)/dismiss"),
            // What a device announces to whoever is near it: its own sign-in's, and children's at a child's profile.
            "GET /api/push": .says([], "/api/push"),
            "POST /api/push/subscriptions": .household,
            "PUT /api/push/subscriptions/{id}": .refused(
                "/api/push/subscriptions/another", "{\"people\":[\"\(mila.id)\"]}"),
            "DELETE /api/push/subscriptions/{id}": .refused("/api/push/subscriptions/another"),
            "POST /api/push/subscriptions/{id}/try": .refused("/api/push/subscriptions/another/try"),
        ])
        #expect(faults == [])
    }
}
