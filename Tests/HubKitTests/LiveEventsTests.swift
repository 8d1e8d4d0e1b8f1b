import Foundation
import HubInstruments
import HubServer
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import Accounts
@testable import HubKit
@testable import Readings

@Suite("The live stream")
struct LiveEventsTests {
    private func texts(_ frames: AsyncStream<LiveEvents.Frame>, count: Int) async -> [String] {
        var result: [String] = []
        for await frame in frames {
            switch frame {
            case .text(let text): result.append(text)
            case .overflow: result.append("overflow")
            case .ended: result.append("ended")
            }
            if result.count == count { break }
        }
        return result
    }

    private func kinds(_ texts: [String]) -> [String] {
        texts.map { text in
            guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
                return text
            }
            return (object["type"] as? String ?? "?") + " " + (object["id"] as? String ?? "?")
        }
    }

    @Test("A page that comes back gets what it missed, in order")
    func resumes() async throws {
        let member = try await TestHub().member()
        let live = LiveEvents(boot: "b1")
        for name in ["a", "b", "c"] { live.publish(.device(name), household: member.household) }
        let (_, frames) = live.listen(member, resume: "b1-1", now: 0)
        #expect(kinds(await texts(frames, count: 3)) == ["hello b1-1", "device b1-2", "device b1-3"])
    }

    @Test(
        "A place of another run, of the future or too long ago is answered with a reset",
        arguments: ["other-1", "b1-9999999", "b1-0", "nonsense", "b1-x"])
    func resets(resume: String) async throws {
        let member = try await TestHub().member()
        let live = LiveEvents(boot: "b1")
        for _ in 0...LiveEvents.kept { live.publish(.device("a"), household: member.household) }
        let (_, frames) = live.listen(member, resume: resume, now: 0)
        let place = "b1-\(LiveEvents.kept + 1)"
        #expect(kinds(await texts(frames, count: 2)) == ["hello \(place)", "reset \(place)"])
    }

    @Test("A page that was away for a moment gets the readings of that moment; after long it loads everything again")
    func away() async throws {
        let test = try TestHub()
        let member = try await test.member()
        let live = test.hub.live
        let place = "\(test.hub.boot)-0"
        live.leave(live.listen(member, resume: nil, now: 0).id)
        test.advance(milliseconds: 60_000)
        #expect(live.isHeard(now: test.hub.clock.now()))
        live.publish(.device("a"), household: member.household)
        let (id, frames) = live.listen(member, resume: place, now: 0)
        #expect(kinds(await texts(frames, count: 2)).last == "device \(test.hub.boot)-1")
        live.leave(id)
        test.advance(milliseconds: LiveEvents.patienceMilliseconds)
        #expect(!live.isHeard(now: test.hub.clock.now()))
        let (_, later) = live.listen(member, resume: place, now: 0)
        #expect(kinds(await texts(later, count: 2)).last == "reset \(test.hub.boot)-2")
    }

    @Test("A page that missed more than its queue holds is told to load everything again, and hello comes first")
    func missedTooMuch() async throws {
        let member = try await TestHub().member()
        let live = LiveEvents(boot: "b1")
        for _ in 0..<LiveEvents.waiting { live.publish(.device("a"), household: member.household) }
        let (_, frames) = live.listen(member, resume: "b1-0", now: 0)
        #expect(
            kinds(await texts(frames, count: 2)) == [
                "hello b1-\(LiveEvents.waiting)", "reset b1-\(LiveEvents.waiting)",
            ])
    }

    @Test("Nothing of another household is told, live or afterwards")
    func households() async throws {
        let member = try await TestHub().member()
        let live = LiveEvents(boot: "b1")
        live.publish(.device("theirs"), household: "another")
        live.publish(.device("ours"), household: member.household)
        let (_, frames) = live.listen(member, resume: "b1-0", now: 0)
        live.publish(.device("theirs"), household: "another")
        live.publish(.device("ours"), household: member.household)
        #expect(kinds(await texts(frames, count: 3)) == ["hello b1-0", "device b1-2", "device b1-4"])
    }

    @Test("A page that reads too slowly keeps a bounded number of messages and is told that some were lost")
    func overflow() async throws {
        let member = try await TestHub().member()
        let live = LiveEvents(boot: "b1")
        let (id, frames) = live.listen(member, resume: nil, now: 0)
        for _ in 0..<LiveEvents.waiting * 3 { live.publish(.device("a"), household: member.household) }
        live.leave(id)
        let received = await texts(frames, count: .max)
        #expect(received.count <= LiveEvents.waiting)
        #expect(received.contains("overflow"))
    }

    @Test("When a sign-in ends, its pages are told and hear nothing more; others go on")
    func ends() async throws {
        let test = try TestHub()
        let member = try await test.member()
        let other = try await test.services.accounts.signIn(member.person, agent: "other").member
        let live = LiveEvents(boot: "b1")
        let (_, frames) = live.listen(member, resume: nil, now: 0)
        let (_, otherFrames) = live.listen(other, resume: nil, now: 0)
        live.end { $0.signIn == member.signIn }
        live.publish(.device("a"), household: member.household)
        #expect(kinds(await texts(frames, count: .max)).last == "ended")
        #expect(kinds(await texts(otherFrames, count: 2)).last == "device b1-1")
    }

    @Test("Readings that come too fast are told as the newest, and the last one always is")
    func coalesces() async throws {
        let member = try await TestHub().member()
        let live = LiveEvents(boot: "b1")
        let (_, frames) = live.listen(member, resume: nil, now: 0)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        try await loop.submit {
            let coalescer = ReadingCoalescer(live: live, loop: loop, intervalMilliseconds: 20)
            for step: Int64 in 0..<50 {
                let reading = CommittedReading(
                    household: member.household, device: "d", quantity: "moisture", series: 1, at: step,
                    value: Double(step))
                coalescer.take([reading], now: 1000)
            }
        }.get()
        let received = await texts(frames, count: 3)
        #expect(received[1].contains("\"value\":0"))
        #expect(received[2].contains("\"value\":49"))
    }

    @Test("A reading never follows a newer one of its series, and none comes sooner than the interval")
    func keepsOrder() async throws {
        let member = try await TestHub().member()
        let live = LiveEvents(boot: "b1")
        let (_, frames) = live.listen(member, resume: nil, now: 0)
        let loop = EmbeddedEventLoop()
        let coalescer = ReadingCoalescer(live: live, loop: loop, intervalMilliseconds: 250)
        func take(_ value: Double, series: Int64 = 1) {
            let reading = CommittedReading(
                household: member.household, device: "d", quantity: "moisture", series: series, at: 0, value: value)
            coalescer.take([reading], now: 1000)
        }
        take(0)
        loop.advanceTime(by: .milliseconds(100))
        take(100)
        loop.advanceTime(by: .milliseconds(100))
        take(200)
        // The interval of the first is over before the timer of the second would have been.
        loop.advanceTime(by: .milliseconds(100))
        take(300)
        take(1, series: 2)
        loop.advanceTime(by: .milliseconds(10))
        take(2, series: 2)
        loop.advanceTime(by: .milliseconds(1000))
        let told = await texts(frames, count: 6).compactMap { text in
            text.split(separator: "\"value\":").dropFirst().first.flatMap { Double($0.prefix { $0.isNumber }) }
        }
        #expect(told == [0, 200, 1, 300, 2])
    }
}
