import Foundation

/// The password of somebody who types a command that signs in.
public enum PasswordPrompt {
    /// The environment's variable that holds it where nobody can type.
    public static let variable = "TANDEM_PASSWORD"

    /// From the environment, else from a prompt that does not show it, else from a line of standard input.
    ///
    /// - Throws: `PasswordPromptError` where there is none.
    public static func read() throws(PasswordPromptError) -> String {
        if let password = ProcessInfo.processInfo.environment[variable], !password.isEmpty { return password }
        guard isatty(STDIN_FILENO) == 1 else {
            guard let line = readLine(), !line.isEmpty else { throw PasswordPromptError() }
            return line
        }
        guard let typed = getpass("Password: ") else { throw PasswordPromptError() }
        return String(cString: typed)
    }
}

/// There was no password.
public struct PasswordPromptError: Error, CustomStringConvertible {
    public var description: String {
        "No password was given. Type it when asked, or put it into \(PasswordPrompt.variable)."
    }
}
