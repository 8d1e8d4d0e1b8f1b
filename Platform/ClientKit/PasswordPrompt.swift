import Foundation

/// The password of a person who types a command that signs in.
public enum PasswordPrompt {
    /// The environment variable with the password, for use without a terminal.
    public static let variable = "TANDEM_PASSWORD"

    /// Reads the password from the environment, else from a prompt that does not show it, else from a line of standard
    /// input.
    ///
    /// - Throws: `PasswordPromptError` if there is none.
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

/// An error if there is no password.
public struct PasswordPromptError: Error, CustomStringConvertible {
    public var description: String {
        "No password was given. Type it when asked, or put it into \(PasswordPrompt.variable)."
    }
}
