import Testing

@testable import Diagnosis

@Suite("The address that people type")
struct ProxyCheckTests {
    private let check = ProxyCheck(url: "https://tandem.example.org")

    /// What a good proxy hands on: the hub refuses to sign out somebody who is nobody with 401.
    private func good() -> ProxyCheck.Answers {
        var answers = ProxyCheck.Answers()
        answers.health = 200
        answers.isHub = true
        answers.upgrade = 101
        answers.own = 401
        answers.other = 403
        answers.body = 100
        return answers
    }

    private func faults(_ change: (inout ProxyCheck.Answers) -> Void) -> [String] {
        var answers = good()
        change(&answers)
        return check.findings(answers).filter { $0.grade != .well }.map(\.check)
    }

    @Test("A proxy that hands on all that it has to is well")
    func goodProxy() { #expect(faults { _ in } == []) }

    @Test("A proxy without WebSocket is a fault with the lines that are wanted")
    func noUpgrade() {
        #expect(faults { $0.upgrade = 404 } == ["url-websocket"])
        #expect(faults { $0.upgrade = nil } == ["url-websocket"])
    }

    @Test("A proxy that does not say https, and one that does not say the name, are told apart")
    func forwarded() {
        #expect(
            faults {
                $0.own = 403
                $0.other = 401
            } == ["url-forwarded"])
        var answers = good()
        answers.own = 403
        answers.other = 401
        #expect(check.findings(answers).contains { $0.words.contains("X-Forwarded-Proto $scheme") })
        answers.other = 403
        #expect(check.findings(answers).contains { $0.words.contains("proxy_set_header Host $host") })
    }

    @Test("A 413 of the proxy's is a fault, and one of the hub's own is its limit for that route")
    func body() {
        #expect(faults { $0.body = 413 } == ["url-body"])
        #expect(
            faults {
                $0.body = 413
                $0.isBodyOfHub = true
            } == [])
        #expect(faults { $0.body = nil } == ["url-body"])
    }

    @Test("Where nothing answers, or something else does, only that is said")
    func noHub() {
        #expect(check.findings(ProxyCheck.Answers()).map(\.grade) == [.fault])
        #expect(
            faults {
                $0.health = 502; $0.isHub = false
            } == ["url"])
        #expect(faults { $0.isHub = false } == ["url"])
    }

    @Test("A certificate that this machine does not trust is a warning")
    func untrusted() { #expect(faults { $0.isTrusted = false } == ["url-certificate"]) }

    @Test(
        "An address that is none is told as such", arguments: ["", "tandem", "ftp://a", "https://", "http://a:99999"])
    func noAddress(url: String) async {
        #expect(await ProxyCheck(url: url).run().map(\.grade) == [.fault])
    }

    @Test("The head of an answer is read once it has ended")
    func head() throws {
        let text = "HTTP/1.1 413 Request Entity Too Large\r\nServer: nginx\r\nContent-Type: text/html\r\n\r\n<html>"
        let head = try #require(AnswerHead(Array(text.utf8)))
        #expect(head.status == 413)
        #expect(head.fields["server"] == "nginx")
        #expect(!head.isOfHub)
        #expect(AnswerHead(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))?.status == 100)
        #expect(AnswerHead(Array("HTTP/1.1 200 OK\r\nA: b\r\n".utf8)) == nil)
        #expect(AnswerHead(Array("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8)) == nil)
    }
}
