import HubInstruments
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("Signing out elsewhere")
struct OtherSignInTests {
    @Test("An account’s other sign-ins end at once, and neither this one nor anybody else’s")
    func others() async throws {
        let test = try TestHub()
        let accounts = test.services.accounts
        let ines = try await test.seed()
        let tom = try await accounts.addAdult(name: "Tom", email: "tom@example.org", password: "correct horse")
        let here = try await accounts.signIn(ines, agent: "here")
        let elsewhere = try await accounts.signIn(ines, agent: "elsewhere")
        let toms = try await accounts.signIn(tom, agent: "his")
        #expect(try await accounts.endOthers(of: here.member) == [elsewhere.member.signIn])
        #expect(try await accounts.member(token: here.token) != nil)
        #expect(try await accounts.member(token: elsewhere.token) == nil)
        #expect(try await accounts.member(token: toms.token) != nil)
        #expect(try await accounts.endOthers(of: here.member).isEmpty)
    }
}
