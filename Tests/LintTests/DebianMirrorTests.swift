import Foundation
import TestInstruments
import Testing

/// Where the bare roots of `prove-clean` and `prove-deb` come from, `scripts/debian-mirror.sh`, asked of small `/etc/apt`s
/// in the two forms of sources.list(5).
@Suite("The mirror of Debian")
struct DebianMirrorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/sources.list.d", withIntermediateDirectories: true)
    }

    private func mirror() throws -> String {
        let result = try run("scripts/debian-mirror.sh", [folder.path])
        #expect(result.status == 0, "\(result.output)")
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("is asked for where the machine names none")
    func none() throws {
        for source in ["", "deb http://archive.example/ubuntu noble main universe\n"] {
            try folder.write(source, to: "sources.list")
            let result = try run("scripts/debian-mirror.sh", [folder.path])
            #expect(result.status == 1)
            #expect(result.output.contains("Set DEBIAN_MIRROR"))
        }
    }

    @Test("is the first of one-line sources, which is neither a comment nor another's")
    func lines() throws {
        try folder.write(
            """
            # deb http://commented.example/debian bookworm main
            deb-src http://sources.example/debian bookworm main
            deb http://security.example/debian-security bookworm-security main
            deb https://other.example/apt nodistro main
              deb [arch=amd64 signed-by=/usr/share/keyrings/a.gpg] http://mirror.example/debian/ bookworm main contrib
            deb http://second.example/debian bookworm main
            """, to: "sources.list")
        #expect(try mirror() == "http://mirror.example/debian")
    }

    @Test("is the first of paragraphs that is not switched off")
    func paragraphs() throws {
        try folder.write(
            """
            Types: deb
            URIs: https://other.example/apt
            Suites: nodistro
            Components: main

            Enabled: no
            Types: deb
            URIs: http://off.example/debian
            Suites: bookworm
            Components: main

            # Of here.
            Types: deb deb-src
            URIs: http://one.example/debian http://two.example/debian
            Suites: bookworm-updates bookworm
            Components: contrib main
            Signed-By:
             -----BEGIN PGP PUBLIC KEY BLOCK-----
            """, to: "sources.list.d/debian.sources")
        #expect(try mirror() == "http://one.example/debian")
    }
}
