import Foundation
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("Codes that people type")
struct AccessCodeTests {
    @Test("A code has three groups of four characters that are not mistaken for each other, and is never the same")
    func form() throws {
        var seen: Set<String> = []
        for _ in 0..<200 {
            let text = "\(AccessCode.random())"
            #expect(text.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}/) != nil, "\(text)")
            seen.insert(text)
        }
        #expect(seen.count == 200)
    }

    @Test(
        "A code is read as people type it",
        arguments: [
            "7K4M-Q2XD-10V0", "7k4m-q2xd-10v0", "7K4MQ2XD10V0", "7k4mq2xd10v0", " 7k4m q2xd 10v0 ", "7K4M–Q2XD–10V0",
            "7K4M-Q2XD-IOUO", "7k4m-q2xd-loVo", "7K4\u{2011}MQ2\u{a0}XD10V0\n", "７Ｋ４ＭＱ２ＸＤ１０Ｖ０",
            "https://linden.local:8443/join#7K4M-Q2XD-10V0", "https://linden.local:8443/join#7k4mq2xd10v0",
        ])
    func lenient(text: String) throws {
        let code = try #require(AccessCode("7K4M-Q2XD-10V0"))
        #expect(AccessCode(text) == code)
        #expect("\(code)" == "7K4M-Q2XD-10V0")
        #expect(AccessCode(text)?.hash == code.hash)
    }

    @Test(
        "What is no code is none",
        arguments: [
            "", "-", "#", "7K4M-Q2XD", "7K4M-Q2XD-10V0-0000", "7K4M_Q2XD_10V0", "7K4M-Q2XD-10V!", "ÄÖÜß-7K4M-Q2XD",
            "7K4M-Q2XD-10V\u{0}", "🌱🌱🌱🌱-🌱🌱🌱🌱-🌱🌱🌱🌱", "٠١٢٣-٤٥٦٧-٨٩٠١", String(repeating: "-", count: 100_000),
            String(repeating: "7", count: 100_000),
        ])
    func none(text: String) {
        #expect(AccessCode(text) == nil)
    }
}
