import Accounts
import HubKit
import Localization
import Storage

/// The routes by which adults come in with a passkey, and look after their own.
struct PasskeyRoutes: Sendable {
    let passkeys: Passkeys
    let context: AccountContext

    func add(to routes: Routes) {
        addDoor(to: routes)
        addOwn(to: routes)
    }

    private func addDoor(to routes: Routes) {
        routes.post(
            "/api/session/passkey/challenge", .anyone,
            "What the browser needs to ask for a passkey; nothing where the hub has none, or the reason why none can be used here."
        ) { request in
            if let party = try? RelyingParty(request.source),
                let challenge = try await passkeys.challenge(at: party, address: request.address)
            {
                return try .json(DoorResponse(options: RequestOptions(challenge, party)))
            }
            let names = try await passkeys.relyingParties().sorted().joined(separator: ", ")
            guard !names.isEmpty else { return try .json(DoorResponse()) }
            let words = LocalizedText("Passkeys work where the hub is opened at \(names). Here, use your password.")
            return try .json(DoorResponse(obstacle: request.localized.string(words)))
        }
        routes.post(
            "/api/session/passkey", .anyone, "Signs in with a passkey: a cookie for a page.", takes: UsedPasskey.self
        ) { request, body in
            guard let party = try? RelyingParty(request.source) else { throw Problem.notIn(.relyingParty) }
            let person = try await passkeys.person(
                try body.assertion(), at: party, address: request.address)
            return try await context.signIn(person, request)
        }
    }

    private func addOwn(to routes: Routes) {
        routes.get("/api/passkeys", .adult, "The passkeys of who is signed in, and why none can be made here.") {
            request in
            let all = try await passkeys.all(of: request.member.person.id)
            return try .json(PasskeysResponse(all, request))
        }
        routes.post(
            "/api/passkeys/challenge", .adult, "What the browser needs to make a passkey. It takes the password.",
            takes: PasswordBody.self
        ) { request, body in
            let party = try RelyingParty.of(request)
            let member = try request.member
            let (challenge, existing) = try await passkeys.challenge(
                of: member, password: body.password, at: party, address: request.address)
            return try .json(
                CreationOptions(
                    challenge, party, hub: request.hub.settings.name, person: member.person, existing: existing))
        }
        routes.post("/api/passkeys", .adult, "Stores a passkey that the browser has made.", takes: NewPasskey.self) {
            request, body in
            let party = try RelyingParty.of(request)
            let record = try await passkeys.add(
                try body.credential.registration(), name: body.name,
                transports: body.credential.response.transports ?? [], of: request.member, at: party)
            return try .created(PasskeyResponse(record, here: party.id))
        }
        routes.patch("/api/passkeys/{id}", .adult, "Gives a passkey another name.", takes: NameBody.self) {
            request, body in
            let record = try await passkeys.rename(
                request.path("id"), to: body.name, of: request.member.person.id)
            return try .json(PasskeyResponse(record, here: (try? RelyingParty.of(request))?.id))
        }
        routes.delete("/api/passkeys/{id}", .adult, "Removes a passkey. The password stays.") { request in
            try await passkeys.remove(request.path("id"), of: request.member.person.id)
            return .nothing
        }
    }
}

private struct PasswordBody: Decodable { var password: String }
private struct NameBody: Decodable { var name: String }
