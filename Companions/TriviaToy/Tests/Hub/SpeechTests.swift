import Foundation
import GRDB
import HubInstruments
import HubKit
import Storage
import Subprocess
import Testing
import TriviaToyEngine

@testable import TriviaToyHub

@Suite("What a virtual toy says")
struct SpeechTests {
    private static func say(_ test: ToyTestApp, _ words: String, fact: UInt32 = 1, piece: UInt8 = 0) async throws {
        var bytes: [UInt8] = []
        try SpokenReport(fact: fact, voice: 0, volume: 0, wordsPerMinute: 150, language: .english, piece: piece)
            .encode(text: Array(words.utf8).span, into: &bytes)
        try await test.publish((ToyTopic.said, bytes))
    }

    @Test("Its words are shown to the household, with their sound where espeak-ng is, else with what is missing")
    func words() async throws {
        let test = try await ToyTestApp()
        let path = "/api/toy/toys/\(test.toy.id)/speech"
        #expect(try await test.app.send(.get, path)["speech"] == nil)
        try await Self.say(test, "<b>Caf\u{E9}</b> -h \"'; DROP TABLE toy_fact --")
        let answer = try await test.app.send(.get, path)
        #expect(answer["speech", "words"] as? String == "<b>Caf\u{E9}</b> -h \"'; DROP TABLE toy_fact --")
        let id = try #require(answer["speech", "id"] as? String)
        let isInstalled = test.app.companion.renderer.program.isInstalled
        #expect(answer["speech", "hasSound"] as? Bool == isInstalled)
        let sound = try await test.app.send(.get, "/api/toy/speech/\(id)")
        if isInstalled {
            let wave = try Sound(wave: sound.bytes.span, longest: 60_000)
            #expect(wave.milliseconds > 500)
        } else {
            #expect(sound.status == 503 && sound.text.contains("espeak-ng"))
            #expect((answer["speech", "missing"] as? String)?.contains("apt-get install espeak-ng") == true)
        }
        try await Self.say(test, "Something else.")
        #expect(try await test.app.send(.get, "/api/toy/speech/\(id)").status == 404)
        #expect(try await test.app.send(.get, "/api/toy/toys/nobody/speech").status == 404)
        #expect(try await test.app.send(.get, path, as: nil).status == 401)
    }

    @Test(
        "A message that waits comes in place of a fact, which then does not count as heard, until a page has played it to its end"
    )
    func message() async throws {
        let test = try await ToyTestApp()
        #expect(try await test.app.send(.put, "/api/toy/toys/\(test.toy.id)", #"{"person":"mila"}"#).status == 200)
        var wave: [UInt8] = []
        Sound(rate: 8_000, samples: [1, 2, 3]).encodeWave(into: &wave)
        let message = try await test.app.send(.post, "/api/toy/messages?person=mila", bytes: wave)
        try await Self.say(test, "A fact.", fact: 1)
        try await Self.say(test, "The rest of it.", fact: 1, piece: 1)
        let answer = try await test.app.send(.get, "/api/toy/toys/\(test.toy.id)/speech")
        #expect(
            answer["speech", "message"] as? Int == message["id"] as? Int
                && answer["speech", "hasSound"] as? Bool == true)
        let sound = try await test.app.send(.get, "/api/toy/speech/\(answer["speech", "id"] as? String ?? "")")
        #expect(sound.bytes == wave)
        try await test.publish((ToyTopic.play, test.play(1, 1)))
        #expect(try await test.app.count("toy_play") == 0)
        // No page was open: neither of the two was heard by anybody.
        let messages = try await test.app.send(.get, "/api/toy/messages")["messages"] as? [[String: Any]]
        #expect(messages?.first?["heardAt"] == nil)
        try await Self.say(test, "A fact.", fact: 1)
        let id = try #require(message["id"] as? Int)
        let again = try await test.app.send(.get, "/api/toy/toys/\(test.toy.id)/speech")["speech", "message"] as? Int
        #expect(again == id)
        try await test.publish((ToyTopic.play, test.play(2, 1)))
        #expect(try await test.app.send(.post, "/api/toy/messages/\(id)/heard").status == 204)
        try await Self.say(test, "A fact.", fact: 1)
        try await test.publish((ToyTopic.play, test.play(3, 1)))
        #expect(try await test.app.count("toy_play") == 1)
        #expect(try await test.app.send(.get, "/api/toy/toys/\(test.toy.id)/speech")["speech", "message"] == nil)
    }

    @Test("A real toy reports a play without its words: the fact was heard, and the message that it cannot play waits")
    func realToy() async throws {
        let test = try await ToyTestApp()
        #expect(try await test.app.send(.put, "/api/toy/toys/\(test.toy.id)", #"{"person":"mila"}"#).status == 200)
        var wave: [UInt8] = []
        Sound(rate: 8_000, samples: [1, 2, 3]).encodeWave(into: &wave)
        let message = try await test.app.send(.post, "/api/toy/messages?person=mila", bytes: wave)
        try await test.publish((ToyTopic.play, test.play(1, 1)))
        #expect(try await test.app.count("toy_play") == 1)
        let next = try await test.app.send(.get, "/api/toy/people/mila/next")
        #expect(next["message", "id"] as? Int == message["id"] as? Int)
    }

    @Test("A program that is missing, fails, takes too long or writes too much is told apart, and ended")
    func programs() async throws {
        func failure(_ name: String, _ arguments: [String], patience: Duration = .seconds(600)) async -> SystemProgram
            .Failure?
        {
            do {
                _ = try await SystemProgram(name: name, limitBytes: 100, patience: patience).run(
                    arguments, input: [])
                return nil
            } catch {
                return error as? SystemProgram.Failure
            }
        }
        #expect(await failure("no-such-program", []) == .missing)
        #expect(await failure("false", []) == .failed)
        #expect(await failure("sleep", ["600"], patience: .milliseconds(100)) == .tooSlow)
        #expect(await failure("yes", []) == .tooLarge)
        let echoed = try await SystemProgram(name: "cat", limitBytes: 100, patience: .seconds(600)).run(
            [], input: Array("$(id); `id`".utf8))
        #expect(String(decoding: echoed, as: UTF8.self) == "$(id); `id`")
    }

    @Test("A program that wants more memory than it may have fails, and takes none of the hub’s")
    func memory() async throws {
        // tail(1) keeps what it reads until the end of a line, which /dev/zero has none of.
        var program = SystemProgram(name: "tail", limitBytes: 100, patience: .seconds(600))
        program.memoryBytes = 64 << 20
        await #expect(throws: SystemProgram.Failure.failed) { try await program.run(["/dev/zero"], input: []) }
    }

    @Test("A program ends with the hub that started it, even where the hub is killed", .timeLimit(.minutes(2)))
    func ends() async throws {
        let command = SystemProgram(name: "sh", limitBytes: 100, patience: .seconds(600))
            .command(["-c", "echo begun >&2; exec sleep 600"])
        guard command.name == "setpriv" else { return }
        // A shell stands for the hub. The program says that it has begun, and its end closes the pipe that both write to.
        let shell = ["-c", "\"$@\" >/dev/null & wait", "sh", command.name] + command.arguments
        let said = try await Subprocess.run(
            .name("sh"), arguments: .init(shell), input: .none, output: .discarded, error: .sequence
        ) { execution in
            var said: [UInt8] = []
            for try await part in execution.standardError {
                said += part.withUnsafeBytes { Array($0) }
                if said.last == UInt8(ascii: "\n") { try execution.send(signal: .kill) }
            }
            return said
        }
        #expect(String(decoding: said.closureResult, as: UTF8.self) == "begun\n")
    }

    @Test("What was made is kept up to a limit, and the oldest goes first")
    func cache() async throws {
        let renderer = SpeechRenderer(
            limits: {
                var limits = SpeechRenderer.Limits()
                limits.cachedBytes = 200_000
                // Hundreds of tests share two processors with espeak-ng.
                limits.patience = .seconds(600)
                return limits
            }())
        guard renderer.program.isInstalled else { return }
        for number in 0..<6 {
            let utterance = SpeechRenderer.Utterance(
                words: "Number \(number).", voice: 0, volume: 18, wordsPerMinute: 600, language: .english)
            let first = try await renderer.wave(utterance)
            #expect(try await renderer.wave(utterance) == first)
            #expect(await renderer.cachedBytes <= 200_000)
        }
    }
}
