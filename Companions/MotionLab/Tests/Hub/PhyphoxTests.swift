import Foundation
import HubInstruments
import Synchronization
import Testing

@testable import HubKit
@testable import MotionLabHub

/// phyphox's remote interface on a phone, from its documentation: one sensor, of which a few samples more are there with each
/// question.
private final class PhyphoxDouble: Sendable {
    struct Phone {
        var session = "a1"
        /// Seconds, and what is measured then in m/s².
        var samples: [(Double, Double)] = []
        var isMeasuring = false
        var asked: [String] = []
        var status = 200
        var isWhole = true
    }

    /// A question for samples, once it is answered.
    struct Question: Sendable {
        /// The time of the newest sample that the hub has; nil for none.
        var from: Double?
        var status: Int
    }

    let phone = Mutex(Phone())
    let questions: AsyncStream<Question>
    private let asked: AsyncStream<Question>.Continuation

    init() { (questions, asked) = AsyncStream.makeStream() }

    /// Waits until the hub asks for what is newer than all that the phone has: so it has stored that.
    func wasRead() async {
        for await question in questions {
            if question.status == 200, question.from == phone.withLock({ $0.samples.last?.0 }) { return }
        }
    }

    /// Waits until the hub asks again after it has not understood an answer.
    func failedTwice() async {
        var failures = 0
        for await question in questions where question.status != 200 {
            failures += 1
            if failures == 2 { return }
        }
    }

    func answer(_ call: OutboundCall) -> OutboundAnswer {
        phone.withLock { phone in
            phone.asked.append(call.url)
            let url = URLComponents(string: call.url)
            let body: String
            switch url?.path {
            case "/config":
                body = """
                    {"title":"Acceleration","buffers":[{"name":"acc_time","size":0},{"name":"accZ","size":0}],"inputs":[\
                    {"source":"accelerometer","outputs":[{"x":"accX"},{"y":"accY"},{"z":"accZ"},{"t":"acc_time"}]}]}
                    """
            case "/control":
                phone.isMeasuring = call.url.hasSuffix("=start")
                body = "{\"result\":true}"
            default:
                let from = url?.queryItems?.first { $0.name == "acc_time" }?.value.flatMap { Double($0) }
                asked.yield(Question(from: from, status: phone.status))
                let sent = phone.samples.filter { $0.0 > from ?? -1 }
                func buffer(_ name: String, _ values: [Double]) -> String {
                    """
                    "\(name)":{"size":0,"updateMode":"\(from == nil ? "full" : "partial")","buffer":\(values)}
                    """
                }
                let zeros = sent.map { _ in 0.0 }
                body = """
                    {"buffer":{\(buffer("acc_time", sent.map(\.0))),\(buffer("accX", zeros)),\(buffer("accY", zeros)),\
                    \(buffer("accZ", sent.map(\.1)))},"status":{"session":"\(phone.session)","measuring":\(phone.isMeasuring),\
                    "timedRun":false,"countDown":0}}
                    """
            }
            return OutboundAnswer(
                status: phone.status, retryAfter: nil, body: Array(body.utf8), isWhole: phone.isWhole)
        }
    }
}

@Suite("phyphox, read by the hub", .timeLimit(.minutes(1)))
struct PhyphoxTests {
    private func lab() async throws -> (app: LabTestApp, double: PhyphoxDouble, phone: LabTestPhone) {
        let app = try await LabTestApp()
        let double = PhyphoxDouble()
        app.hub.outbound.open { double.answer($0) }
        return (app, double, try await LabTestPhone(app, name: "Pixel"))
    }

    private func connect(_ app: LabTestApp, _ phone: LabTestPhone, _ address: String = "http://192.168.1.23:8080/")
        async throws -> LabTestApp.Answer
    {
        try await app.send(
            .post, "/api/lab/phyphox", "{\"device\":\"\(phone.device.id)\",\"address\":\"\(address)\"}")
    }

    /// How the phones are, once the hub has stored all that the phone has.
    private func stored(_ double: PhyphoxDouble, _ app: LabTestApp) async throws -> LabTestApp.Answer {
        await double.wasRead()
        return try await app.send(.get, "/api/lab/phyphox")
    }

    @Test("Its samples are stored once, in g and by the hub's clock, and a new run of it is a new recording")
    func read() async throws {
        let (app, double, phone) = try await lab()
        double.phone.withLock { $0.samples = (0..<100).map { (Double($0) / 100, 9.80665) } }
        let answer = try await connect(app, phone)
        #expect(answer.status == 201 && answer["title"] as? String == "Acceleration", "\(answer.text)")
        #expect(answer["sensors"] as? [String] == ["accelerometer"])
        _ = try await stored(double, app)
        double.phone.withLock { $0.samples += (100..<200).map { (Double($0) / 100, 9.80665) } }
        let status = try await stored(double, app)
        #expect(status["phones", "0", "samples"] as? Int == 200)
        #expect(status["phones", "0", "isMeasuring"] as? Bool == true)
        let recording = try await phone.recording()
        #expect(recording["samples"] as? Int == 200)
        #expect(recording["startMicroseconds"] as? Int64 == app.now * 1_000 - 990_000)
        let id = try #require(recording["id"] as? String)
        let table = try await app.send(.get, "/api/lab/recordings/\(id)/export").text
        #expect(table.split(separator: "\r\n").last?.contains(",1.99,0,0,1,") == true)
        double.phone.withLock { phone in
            phone.session = "b2"
            phone.samples = [(0.5, 0), (0.51, 0)]
        }
        _ = try await stored(double, app)
        #expect(try await phone.recording(1)["id"] != nil)
        #expect(try await app.send(.delete, "/api/lab/phyphox/\(phone.device.id)").status == 204)
        let urls = double.phone.withLock { $0.asked }
        #expect(urls.first == "http://192.168.1.23:8080/config" && urls.contains { $0.hasSuffix("/control?cmd=start") })
        #expect(urls.contains { $0.contains("/get?acc_time=0.99") })
        #expect(urls.last?.hasSuffix("/control?cmd=stop") == true)
        #expect(try await app.send(.delete, "/api/lab/phyphox/\(phone.device.id)").status == 404)
    }

    @Test("A redirect, an answer without an end and what is not phyphox are said in words, and nothing is read on")
    func foreign() async throws {
        let (app, double, phone) = try await lab()
        double.phone.withLock { $0.status = 302 }
        let redirect = try await connect(app, phone)
        #expect(redirect.status == 502 && redirect.detail.contains("it is not phyphox"), "\(redirect.text)")
        double.phone.withLock { phone in
            phone.status = 200
            phone.isWhole = false
        }
        #expect(try await connect(app, phone).detail.contains("Clear the data"))
        #expect(double.phone.withLock { $0.asked.count } == 2)
        app.hub.outbound.open { _ in
            OutboundAnswer(status: 200, retryAfter: nil, body: Array("<html>".utf8), isWhole: true)
        }
        #expect(try await connect(app, phone).detail.contains("it is not phyphox"))
        app.hub.outbound.open { _ in throw OutboundError.unreachable("") }
        #expect(try await connect(app, phone).detail.contains("Allow remote access"))
    }

    @Test(
        "The way out refuses what is no address of the house, and a child connects nothing",
        arguments: [
            "phone.local", "127.0.0.1:8080", "8.8.8.8", "192.168.1.23/admin", "", "192.168.1.23:8080/config?x=",
            "192.168.1.23?x=", "192.168.1.23:8080#", "me@192.168.1.23:8080", "192.168.1.23:0", "192.168.1.23:65536",
            "192.168.1.23:", "192.168.1.23:80:80", "192.168.1.23:8080\\\\@8.8.8.8", "https://192.168.1.23:8080",
            "[fe80::1]:8080",
            "192.168.1.300:8080", "192.168.1.23:8080//", "192.168.1.23:8080/%2e",
        ])
    func refused(address: String) async throws {
        let app = try await LabTestApp()
        let phone = try await LabTestPhone(app)
        let answer = try await connect(app, phone, address)
        #expect(answer.status == 422 && answer["field"] as? String == "address", "\(answer.text)")
        try await app.use("ines", profile: "mila")
        #expect(try await connect(app, phone).status == 403)
    }

    @Test(
        "phyphox is read at each port of an address of the house, however it is written",
        arguments: [
            ("192.168.1.23:8081", "192.168.1.23:8081"), ("http://10.0.0.7:81/", "10.0.0.7:81"),
            ("HTTP://172.16.0.9:65535", "172.16.0.9:65535"), (" 192.168.1.23 : 5000 ", "192.168.1.23:5000"),
            ("http://192.168.1.23:80/", "192.168.1.23"),
        ])
    func ports(written: String, address: String) async throws {
        let (app, double, _) = try await lab()
        let look = try await app.send(.post, "/api/lab/phyphox/look", "{\"address\":\"\(written)\"}")
        #expect(look.status == 201 && look["address"] as? String == address, "\(look.text)")
        let asked = double.phone.withLock { $0.asked }
        #expect(!asked.isEmpty && asked.allSatisfy { $0.hasPrefix("http://\(address)/") })
    }

    @Test("What is open in phyphox is looked at first, and of it what was chosen is read, started, cleared and stopped")
    func chosen() async throws {
        let (app, double, phone) = try await lab()
        let look = try await app.send(.post, "/api/lab/phyphox/look", "{\"address\":\" http://192.168.1.23:8080/ \"}")
        #expect(look.status == 201 && look["title"] as? String == "Acceleration", "\(look.text)")
        #expect(look["address"] as? String == "192.168.1.23:8080" && look["isMeasuring"] as? Bool == false)
        #expect(look["sensors", "0", "sensor"] as? String == "accelerometer")
        #expect(look["sensors", "0", "buffers"] as? [String] == ["acc_time", "accX", "accY", "accZ"])
        #expect(double.phone.withLock { !$0.asked.contains { $0.contains("control") } })
        let body = "{\"device\":\"\(phone.device.id)\",\"address\":\"192.168.1.23:8080\""
        let other = try await app.send(.post, "/api/lab/phyphox", body + ",\"sensors\":[\"gyroscope\"]}")
        #expect(other.status == 422 && other["field"] as? String == "sensors", "\(other.text)")
        let answer = try await app.send(
            .post, "/api/lab/phyphox", body + ",\"sensors\":[\"accelerometer\"],\"starts\":false}")
        #expect(answer.status == 201, "\(answer.text)")
        let path = "/api/lab/phyphox/\(phone.device.id)"
        for command in ["start", "stop", "clear"] {
            #expect(try await app.send(.post, "\(path)/\(command)").status == 204)
        }
        #expect(try await app.send(.post, "\(path)/explode").status == 404)
        #expect(try await app.send(.post, "/api/lab/phyphox/nobody/start").status == 404)
        let controls = double.phone.withLock {
            $0.asked.compactMap { $0.split(separator: "=").last }.filter { ["start", "stop", "clear"].contains($0) }
        }
        #expect(controls == ["start", "stop", "clear"])
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.post, "\(path)/start").status == 403)
        #expect(try await app.send(.post, "/api/lab/phyphox/look", "{\"address\":\"192.168.1.23\"}").status == 403)
    }

    @Test("A phone that falls silent is said to, and goes on where it was when it is back")
    func lost() async throws {
        let (app, double, phone) = try await lab()
        double.phone.withLock { $0.samples = [(0, 0), (0.01, 0)] }
        _ = try await connect(app, phone)
        _ = try await stored(double, app)
        double.phone.withLock { $0.status = 500 }
        await double.failedTwice()
        let trouble = try await app.send(.get, "/api/lab/phyphox")["phones", "0", "trouble"] as? String
        #expect(trouble?.contains("not phyphox") == true)
        double.phone.withLock { phone in
            phone.status = 200
            phone.samples.append((0.02, 0))
        }
        let status = try await stored(double, app)
        #expect(status["phones", "0", "samples"] as? Int == 3 && status["phones", "0", "trouble"] == nil)
        #expect(try await app.send(.delete, "/api/lab/phyphox/\(phone.device.id)").status == 204)
    }
}
