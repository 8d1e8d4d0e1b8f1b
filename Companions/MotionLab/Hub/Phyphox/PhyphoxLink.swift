import HubKit
import Localization
import MotionLabEngine

/// The link to phyphox on a phone in the house, asked one thing at a time through the hub's one way out.
struct PhyphoxLink: Sendable {
    /// The purpose of the hub's calls to a phone: the address is a person's, and the paths are these alone.
    static let use = OutboundUse(
        purpose: "phyphox", title: "experiments in phyphox",
        words: """
            Where an adult has entered the address of a phone with the app phyphox, the hub asks that phone for what it \
            measures. It does so in your own network alone.
            """,
        reach: .privateNetwork(ports: 1...65_535, paths: ["/config", "/get", "/control"]), callsAnHour: 40_000,
        answerBytes: 4 << 20)

    let hub: HubContext
    let household: String
    /// The address, such as `192.168.1.23:8080`.
    let address: String

    /// Takes an address that somebody wrote.
    ///
    /// - Parameter address: as phyphox shows it: `http://192.168.1.23:8080/`, or without what stands around it.
    /// - Throws: a 422 problem for anything but an address in digits and a port: what stands behind it would become a
    ///   part of what the phone is asked.
    init(_ hub: HubContext, household: String, address: String) throws(Problem) {
        self.hub = hub
        self.household = household
        var text = address.filter { !$0.isWhitespace }[...]
        if text.lowercased().hasPrefix("http://") { text = text.dropFirst(7) }
        if text.hasSuffix("/") { text = text.dropLast() }
        guard let match = text.wholeMatch(of: /([0-9]{1,3}(?:\.[0-9]{1,3}){3})(?::([0-9]{1,5}))?/) else {
            throw Problem.field("address", detail: PhyphoxText.address)
        }
        let port = match.2.map { Int($0) ?? 0 } ?? 80
        guard (1...65_535).contains(port) else { throw Problem.field("address", detail: PhyphoxText.address) }
        self.address = String(match.1) + (port == 80 ? "" : ":\(port)")
    }

    /// The experiment that is open on the phone.
    func configuration() async throws -> PhyphoxConfiguration {
        let bytes = try await get("/config")
        return try Self.read { () throws(PhyphoxError) in try PhyphoxConfiguration.decode(bytes) }
    }

    /// The values of buffers.
    ///
    /// - Parameter path: of `PhyphoxPolling`.
    func values(_ path: [UInt8]) async throws -> PhyphoxValues {
        let bytes = try await get(String(decoding: path, as: UTF8.self))
        return try Self.read { () throws(PhyphoxError) in try PhyphoxValues.decode(bytes) }
    }

    /// Starts or stops the measurement on the phone, or clears what it has measured.
    ///
    /// - Returns: whether it did.
    func control(_ command: Command) async throws -> Bool {
        let bytes = try await get("/control?cmd=\(command.rawValue)")
        return try Self.read { () throws(PhyphoxError) in try phyphoxControlResult(bytes) }
    }

    /// The commands that the phone is told.
    enum Command: String, Sendable, CaseIterable { case start, stop, clear }

    private func get(_ path: String) async throws -> [UInt8] {
        let answer: OutboundAnswer
        do {
            answer = try await hub.outbound.send(
                OutboundCall(
                    household: household, url: "http://\(address)\(path)", purpose: Self.use.purpose, method: .get))
        } catch OutboundError.refused {
            throw Problem.field("address", detail: PhyphoxText.address)
        } catch OutboundError.tooMany(let seconds) {
            throw Problem(
                .tooManyRequests, title: LocalizedText("Too many tries"), detail: PhyphoxText.later, retryAfter: seconds
            )
        } catch OutboundError.unreachable {
            throw PhyphoxText.problem(PhyphoxText.unreachable)
        }
        // A redirect is no answer of phyphox's, and nobody follows it.
        guard answer.status == 200 else { throw PhyphoxText.problem(PhyphoxText.somethingElse) }
        guard answer.isWhole else { throw PhyphoxText.problem(PhyphoxText.tooLarge) }
        return answer.body
    }

    private static func read<Value>(_ work: () throws(PhyphoxError) -> Value) throws -> Value {
        do throws(PhyphoxError) {
            return try work()
        } catch {
            throw PhyphoxText.problem(PhyphoxText.refused(error))
        }
    }
}

/// The words about a phyphox that cannot be read.
enum PhyphoxText {
    static let address = LocalizedText(
        "Write the address that phyphox shows under “Allow remote access”, in digits, such as 192.168.1.23:8080. It must be one of your own network."
    )
    static let later = LocalizedText("Wait some minutes, then try again.")
    static let unreachable = LocalizedText(
        "Nothing answers at this address. Open an experiment in phyphox, switch on “Allow remote access”, and see that the phone is in your Wi-Fi."
    )
    static let somethingElse = LocalizedText(
        "Something answers at this address, and it is not phyphox. Compare the address with the one that phyphox shows."
    )
    static let tooLarge = LocalizedText(
        "phyphox has measured more than fits into one answer. Clear the data in phyphox, then connect again.")
    static let noSensor = LocalizedText(
        "The experiment that is open in phyphox has no sensor that the lab knows. Open another one, such as “Acceleration (without g)”."
    )

    static let otherSensors = LocalizedText(
        "Another experiment is open in phyphox now. Look again what it measures, and choose from that.")
    static let didNot = LocalizedText(
        "phyphox did not do it. Look at the phone: its experiment must be open, and its screen on.")

    static func refused(_ error: PhyphoxError) -> LocalizedText {
        switch error {
        case .json, .shape: somethingElse
        case .tooLarge: tooLarge
        case .refused:
            LocalizedText("phyphox did not want to answer. Look at the phone whether it asks for something.")
        }
    }

    static func problem(_ detail: LocalizedText) -> Problem {
        Problem(.badGateway, title: LocalizedText("phyphox does not answer"), detail: detail)
    }
}
