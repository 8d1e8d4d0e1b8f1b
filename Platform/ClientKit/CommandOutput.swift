import ArgumentParser
import Foundation

/// What a command says to the person who typed it.
public enum CommandOutput {
    /// To standard error, so that standard output holds the command's result alone.
    public static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}

extension ExitCode {
    /// Says on standard error why a command ends. The code is one of sysexits.h.
    public static func saying(_ reason: String, code: Int32) -> ExitCode {
        CommandOutput.say("Error: \(reason)")
        return ExitCode(code)
    }
}
