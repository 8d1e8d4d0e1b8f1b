import Foundation
import GRDB
import HubKit
import Logging
import Storage

/// The routes by which a toy that has just joined the Wi-Fi comes to a token of its own.
struct PairingRoutes: Sendable {
    let toy: TriviaToy
    private let attempts, attemptsInAll: RateLimiter
    /// The addresses from which an adult has made a code: somebody who guesses from many others does not hold up
    /// setting a toy up.
    private let known: KnownAddresses

    init(toy: TriviaToy) {
        self.toy = toy
        attempts = RateLimiter(toy.limits.pairingAttempts, capacity: toy.limits.remembered)
        attemptsInAll = RateLimiter(toy.limits.pairingAttemptsInAll, capacity: 1)
        known = KnownAddresses(most: toy.limits.remembered)
    }

    func add(to routes: Routes) {
        let (toy, attempts, attemptsInAll, known) = (toy, attempts, attemptsInAll, known)
        let limits = toy.limits
        routes.post(
            "/api/toy/pairing", .adult,
            "Makes a code with which one toy can join the household in the next ten minutes; `name` is what it will be called.",
            takes: PairingInput.self
        ) { request, input in
            let household = try request.member.household
            let now = request.hub.clock.now()
            let name = (input.name ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            guard name.count <= limits.toyNameLetters, !name.contains(where: \.isNewline) else {
                throw Problem.field("name", "A name has at most \(limits.toyNameLetters) letters.")
            }
            let pairing = try await request.hub.database.pool.write { db in
                try Pairing.open(
                    name: name.isEmpty ? TriviaToy.title : name, household: household, now: now, limits, db)
            }
            known.add(request.source.address)
            return try .created(PairingResponse(code: pairing.code, expiresAt: pairing.expiresAt))
        }
        routes.post(
            "/api/toy/pairing/redemption", .anyone,
            "Redeems a code, once: the toy’s id and its token, which is not given again, and the port of MQTT.",
            takes: RedemptionInput.self
        ) { request, input in
            let (hub, address) = (request.hub, request.source.address)
            let now = hub.clock.now()
            guard let port = hub.settings.plainMQTTPort(reachedBy: input.host ?? address) else {
                throw Problem(
                    .conflict, "No way in for a toy",
                    "A toy speaks no TLS, and this hub keeps MQTT without it to its own machine. Start it with --plain-mqtt-host and this machine’s address in your network; the code holds meanwhile.",
                    field: "host")
            }
            // Counted before it is looked at, so that beyond the limit a right code is not told from a wrong one.
            let isKnown = known.contains(address)
            do throws(RateLimiter.Wait) {
                try attempts.take(address, now: now)
                if !isKnown { try attemptsInAll.take("", now: now) }
            } catch {
                hub.log.warning("Too many codes of trivia toys are tried.", metadata: ["address": "\(address)"])
                let seconds = Int((error.milliseconds + 999) / 1_000)
                throw Problem(
                    .tooManyRequests, "Too many tries", "Too many codes were tried. Wait \(seconds) seconds.",
                    retryAfter: seconds)
            }
            let paired = try await hub.database.pool.write { db in
                let paired = try Pairing.redeem(input.code, now: now, limits, db)
                if let (device, _) = paired { toy.publish("toy", of: device, after: db) }
                return paired
            }
            guard let (device, token) = paired else {
                throw Problem(
                    .notFound, "Not this code",
                    "This code does not hold: it was used, it is older than ten minutes, or it was mistyped. Get a new one on the page.",
                    field: "code")
            }
            attempts.giveBack(address)
            if !isKnown { attemptsInAll.giveBack("") }
            hub.log.notice("A trivia toy was paired.", metadata: ["device": "\(device.id)"])
            return try .created(
                RedemptionResponse(device: device.id, token: token, mqttPort: port))
        }
        routes.post(
            "/api/toy/pairing/return", .anyone,
            "Gives a code back whose toy could not be set up: it holds for another ten minutes, and the toy is gone.",
            takes: ReturnInput.self
        ) { request, input in
            let (hub, now) = (request.hub, request.hub.clock.now())
            let returned = try await hub.database.pool.write { db in
                let returned = try Pairing.giveBack(
                    input.code, of: input.device, token: input.token, now: now, limits, db)
                if let returned { toy.publish("toy", of: returned, after: db) }
                return returned != nil
            }
            guard returned else {
                throw Problem(
                    .conflict, "Not given back",
                    "This toy was there already, or is not of this code. Remove it on the page, and get a new code.")
            }
            return .nothing
        }
    }
}

private struct PairingInput: Decodable {
    /// The name of the toy; nothing for the companion's own name.
    var name: String?
}

private struct PairingResponse: Codable {
    var code: String
    /// UTC milliseconds.
    var expiresAt: Int64
}

private struct RedemptionInput: Decodable {
    var code: String
    /// The host by which the toy will reach the hub; nothing for the caller's own address.
    var host: String?
}

private struct ReturnInput: Decodable {
    var code: String
    /// The id and the token as the redemption answered them.
    var device, token: String
}

private struct RedemptionResponse: Codable {
    /// The toy's id, its user name by MQTT.
    var device: String
    /// The token, which is its password by MQTT.
    var token: String
    /// The port at which the hub listens without TLS, which a toy does not speak.
    var mqttPort: Int
}
