import Admission
import TestInstruments
import Testing

@Suite("Which connections may be there at once")
struct ConnectionLimiterTests {
    @Test("An address that has its fill loses the one of it that has waited longest")
    func perPeer() {
        var limiter = ConnectionLimiter<Int>(maximum: 10, maximumPerPeer: 2)
        let other = limiter.enter(2).ticket
        let first = limiter.enter(1).ticket
        let second = limiter.enter(1).ticket
        #expect(limiter.enter(1).shed == first)
        #expect(limiter.enter(1).shed == second)
        #expect(limiter.count == 3)
        limiter.leave(other)
        #expect(limiter.count == 2)
    }

    @Test("Where all are too many, the address that holds the most loses one, and never who holds fewer")
    func total() {
        var limiter = ConnectionLimiter<Int>(maximum: 4, maximumPerPeer: 3)
        _ = limiter.enter(1)
        let greedy = (0..<3).map { _ in limiter.enter(2).ticket }
        #expect(limiter.enter(3).shed == greedy[0])
        #expect(limiter.enter(4).shed == greedy[1])
    }

    @Test("Where several hold as many, the one that has waited longest goes")
    func tie() {
        var limiter = ConnectionLimiter<Int>(maximum: 2, maximumPerPeer: 2)
        let (first, second) = (limiter.enter(1).ticket, limiter.enter(2).ticket)
        #expect(limiter.enter(3).shed == first)
        #expect(limiter.enter(1).shed == second)
    }

    @Test("Limits below one are one: a new client is always let in", arguments: [-1, 0, 1])
    func smallest(limit: Int) {
        var limiter = ConnectionLimiter<Int>(maximum: limit, maximumPerPeer: limit)
        let first = limiter.enter(1)
        #expect(first.shed == nil)
        #expect(limiter.enter(2).shed == first.ticket)
        #expect(limiter.count == 1)
    }

    @Test("One at work is not sent away: of an address with its fill the new one is, until another rests")
    func work() {
        var limiter = ConnectionLimiter<Int>(maximum: 10, maximumPerPeer: 2)
        let (first, second) = (limiter.enter(1).ticket, limiter.enter(1).ticket)
        limiter.work(first)
        limiter.work(second)
        let refused = limiter.enter(1)
        #expect(refused.shed == refused.ticket)
        #expect(limiter.count == 2)
        limiter.rest(second)
        #expect(limiter.enter(1).shed == second)
        #expect(limiter.count == 2)
    }

    @Test("Of idle ones the one that has rested longest goes, not the one that came first")
    func rest() {
        var limiter = ConnectionLimiter<Int>(maximum: 10, maximumPerPeer: 2)
        let (first, second) = (limiter.enter(1).ticket, limiter.enter(1).ticket)
        limiter.work(first)
        limiter.rest(first)
        #expect(limiter.enter(1).shed == second)
        #expect(limiter.enter(1).shed == first)
    }

    @Test("An address whose connections are all at work takes none of those who hold fewer")
    func greedy() {
        var limiter = ConnectionLimiter<Int>(maximum: 5, maximumPerPeer: 5)
        for _ in 0..<4 { limiter.work(limiter.enter(1).ticket) }
        let honest = limiter.enter(2).ticket
        let refused = limiter.enter(1)
        #expect(refused.shed == refused.ticket)
        // Who holds as few gets the place.
        #expect(limiter.enter(3).shed == honest)
    }

    @Test("One for whom the limit of an address does not hold is held to the total alone")
    func unbounded() {
        var limiter = ConnectionLimiter<Int>(maximum: 4, maximumPerPeer: 1)
        let all = (0..<4).map { _ in limiter.enter(1, isBounded: false) }
        #expect(all.allSatisfy { $0.shed == nil })
        #expect(limiter.enter(2).shed == all[0].ticket)
    }

    @Test("Leaving twice, or with a ticket that was never given, is no error")
    func leaveTwice() {
        var limiter = ConnectionLimiter<Int>(maximum: 2, maximumPerPeer: 2)
        let first = limiter.enter(1).ticket
        let second = limiter.enter(1).ticket
        limiter.leave(first)
        limiter.leave(first)
        limiter.leave(.max)
        #expect(limiter.count == 1)
        limiter.leave(second)
        #expect(limiter.count == 0)
    }

    /// The rules said slowly.
    private struct Model {
        var maximum: Int
        var maximumPerPeer: Int
        // Oldest first.
        var open: [(ticket: UInt64, peer: Int)] = []

        func of(_ peer: Int) -> [UInt64] { open.filter { $0.peer == peer }.map(\.ticket) }

        func shed(for peer: Int) -> UInt64? {
            if of(peer).count >= maximumPerPeer { return of(peer).first }
            guard open.count >= maximum else { return nil }
            let most = open.map { of($0.peer).count }.max()
            return open.first { of($0.peer).count == most }?.ticket
        }
    }

    @Test("Whoever comes and goes, there are never too many, and the right one is sent away")
    func anyOrder() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("connection limiter seed: \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            var model = Model(
                maximum: Int.random(in: 1...12, using: &random), maximumPerPeer: Int.random(in: 1...6, using: &random))
            var limiter = ConnectionLimiter<Int>(maximum: model.maximum, maximumPerPeer: model.maximumPerPeer)
            var given: Set<UInt64> = []
            for _ in 0..<200 {
                if Int.random(in: 0..<4, using: &random) == 0, let leaving = model.open.randomElement(using: &random) {
                    limiter.leave(leaving.ticket)
                    model.open.removeAll { $0.ticket == leaving.ticket }
                } else {
                    let peer = Int.random(in: 0..<5, using: &random)
                    let expected = model.shed(for: peer)
                    let (ticket, shed) = limiter.enter(peer)
                    #expect(shed == expected)
                    #expect(given.insert(ticket).inserted)
                    model.open.removeAll { $0.ticket == shed }
                    model.open.append((ticket, peer))
                }
                #expect(limiter.count == model.open.count)
                #expect(limiter.count <= model.maximum)
                #expect((0..<5).allSatisfy { model.of($0).count <= model.maximumPerPeer })
            }
        }
    }
}
