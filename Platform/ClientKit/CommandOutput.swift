import ArgumentParser
import Foundation

/// The output of a command for the person who typed it.
public enum CommandOutput {
    /// Writes a line to standard error, so that standard output contains the command's result alone.
    public static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}

extension ExitCode {
    /// Writes an error message to standard error and returns the exit code, one of sysexits.h.
    public static func saying(_ reason: String, code: Int32) -> ExitCode {
        CommandOutput.say("Error: \(reason)")
        return ExitCode(code)
    }
}
