import ArgumentParser
import TestInstruments
import Testing

@testable import ClientKit

@Suite("Where a command has a device's token from")
struct TokenOptionsTests {
    private func value(_ arguments: [String], _ environment: [String: String] = [:]) throws -> String? {
        try TokenOptions.parse(arguments).value(environment: environment)
    }

    @Test("The option goes before the file, the file before the environment, and none is none")
    func order() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("from-file\n", to: "token")
        let environment = ["TANDEM_TOKEN": "from-environment"]
        #expect(try value(["--token", "given", "--token-file", file], environment) == "given")
        #expect(try value(["--token-file", file], environment) == "from-file")
        #expect(try value([], environment) == "from-environment")
        #expect(try value([], ["TANDEM_TOKEN": ""]) == nil)
        #expect(try value([]) == nil)
    }

    @Test(
        "A file that others can read, one that is empty and one that is missing are refused", arguments: [0o644, 0o640])
    func files(mode: Int) throws {
        let folder = try TemporaryFolder()
        let open = try folder.write("secret", to: "open", mode: mode)
        #expect(throws: ValidationError.self) { try value(["--token-file", open]) }
        let empty = try folder.write(" \n", to: "empty")
        #expect(throws: ValidationError.self) { try value(["--token-file", empty]) }
        #expect(throws: ValidationError.self) { try value(["--token-file", folder.path + "/none"]) }
        #expect(throws: ValidationError.self) { try value(["--token-file", folder.path]) }
    }
}
