import Foundation

/// The check whether the hub is whole at an address that people type, such as behind a proxy.
public struct ProxyCheck: Sendable {
    /// The answers that were had at the address; a status is nil if no answer came.
    public struct Answers: Sendable, Equatable {
        /// Whether this machine trusts the certificate; true without TLS.
        public var isTrusted = true
        /// The status of `GET /healthz`.
        public var health: Int?
        /// Whether that was answered by a hub, and not by something else.
        public var isHub = false
        /// The status of a WebSocket's handshake: 101 if it works.
        public var upgrade: Int?
        /// The status of a change that a page of this address asks for; the hub refuses those of other pages with 403.
        public var own: Int?
        /// The status of the same, from a page with the other of http and https.
        public var other: Int?
        /// The status of a body as large as a family's recordings.
        public var body: Int?
        /// Whether the hub itself wrote that answer.
        public var isBodyOfHub = false

        /// Creates answers of which none has come.
        public init() {}
    }

    /// The size of the largest body that the hub takes, in bytes.
    static let bodyBytes = 32 << 20

    private let url: String

    /// Creates the check.
    ///
    /// - Parameter url: the address without a path, such as `https://tandem.example.org`.
    public init(url: String) { self.url = url }

    private var isSecure: Bool { url.lowercased().hasPrefix("https:") }

    /// The findings for the answers.
    public func findings(_ answers: Answers) -> [Finding] {
        guard answers.health != nil else {
            return [
                .fault(
                    "url", "Nothing answers at \(url).",
                    "Is the proxy running, and does its name lead to it? Does a firewall let its port in?")
            ]
        }
        guard answers.isHub, answers.health == 200 else {
            let status = answers.health ?? 0
            return [
                .fault(
                    "url", "\(url) answers with status \(status), and not as a hub does.",
                    status == 421 || status == 403
                        ? "The hub does not know this name: start it with --origin \(url)"
                        : "Does the proxy lead to the hub’s port, and is the hub running?")
            ]
        }
        var findings = [Finding.well("url", "The hub answers at \(url).")]
        if !answers.isTrusted {
            findings.append(
                .warning(
                    "url-certificate", "This machine does not trust the certificate of \(url).",
                    "With the hub’s own certificate that is as it should be (phones learn to trust it); a proxy’s is expired, of another name, or without its chain."
                ))
        }
        findings += [upgrade(answers), forwarded(answers), body(answers)]
        return findings
    }

    /// Asks at the address, and says what was found.
    public func run() async -> [Finding] {
        guard let probe = ProxyProbe(url: url) else {
            return [.fault("url", "“\(url)” is no address.", "One looks like https://tandem.example.org.")]
        }
        return findings(await probe.answers())
    }

    private func upgrade(_ answers: Answers) -> Finding {
        guard answers.upgrade != 101 else { return .well("url-websocket", "WebSockets come through at \(url).") }
        let how = answers.upgrade.map { "was answered with status \($0)" } ?? "was not answered"
        return .fault(
            "url-websocket",
            "No WebSocket comes through at \(url): its handshake \(how). Pages get nothing live, and MQTT over WebSocket does not work.",
            "In nginx: proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;"
        )
    }

    private func forwarded(_ answers: Answers) -> Finding {
        guard answers.own == 403 else {
            return answers.own == nil
                ? .fault("url-forwarded", "A change at \(url) was not answered.", "Look at the proxy’s log.")
                : .well("url-forwarded", "The hub knows that people reach it at \(url).")
        }
        guard let other = answers.other, other != 403 else {
            return .fault(
                "url-forwarded", "The hub takes a page at \(url) for another’s, and refuses all changes from there.",
                "Start the hub with --origin \(url), and have the proxy hand on the name: proxy_set_header Host $host;")
        }
        return .fault(
            "url-forwarded",
            "The hub does not learn that \(url) is \(isSecure ? "https" : "http"), and refuses all changes from there.",
            "Have the proxy send X-Forwarded-Proto (nginx: proxy_set_header X-Forwarded-Proto $scheme;), and start the hub with --origin \(url) and with --trusted-proxy and the proxy’s address."
        )
    }

    private func body(_ answers: Answers) -> Finding {
        let size = "\(Self.bodyBytes >> 20) MB"
        guard let status = answers.body else {
            return .warning(
                "url-body", "A body of \(size) was neither taken nor refused at \(url).",
                "Look at the proxy’s log, and at its limits of size and time.")
        }
        guard status == 413, !answers.isBodyOfHub else {
            return .well("url-body", "Bodies of \(size) come through at \(url).")
        }
        return .fault(
            "url-body",
            "The proxy at \(url) refuses bodies of \(size), so that recordings and archives do not come through.",
            "In nginx: client_max_body_size 32m;")
    }
}
