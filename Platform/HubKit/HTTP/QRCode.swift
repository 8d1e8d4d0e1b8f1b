import CQRCode

/// A text as a QR code (ISO/IEC 18004), made by libqrencode.
public struct QRCode: Sendable, Equatable {
    /// Modules a side, without the quiet zone of four that whoever draws it adds.
    public let size: Int
    /// Row by row; true is dark.
    public let modules: [Bool]

    /// - Parameter text: an address, in UTF-8, at the middle level of error correction, so that a smudge on a screen
    ///   or a fold in paper does no harm.
    /// - Returns: nil for a text that is empty or longer than a code holds (some 2,300 bytes).
    public init?(_ text: String) {
        guard !text.isEmpty, let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        // One byte a module; its lowest bit says whether it is dark.
        modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    }

    private func isDark(_ row: Int, _ column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && modules[row * size + column]
    }

    /// The dark modules as an SVG path in units of one module, a run of a row at a time.
    public var path: String {
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                let start = column
                while column < size, isDark(row, column) { column += 1 }
                if column > start {
                    path += "M\(start) \(row)h\(column - start)v1h-\(column - start)z"
                } else {
                    column += 1
                }
            }
        }
        return path
    }

    /// The code for a terminal, two rows of modules a line, with its quiet zone.
    ///
    /// The light modules are drawn, since a terminal's ground is usually dark; on a light one the colours of the escape
    /// sequence (black on white) still hold.
    public var terminalLines: [String] {
        let quiet = 4
        return stride(from: -quiet, to: size + quiet, by: 2).map { row in
            let line = (-quiet..<size + quiet).map { column -> String in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): " "
                case (true, false): "▄"
                case (false, true): "▀"
                case (false, false): "█"
                }
            }.joined()
            return "\u{1B}[97;40m\(line)\u{1B}[0m"
        }
    }
}

/// A QR code as pages draw it.
public struct QRCodeResponse: Codable, Sendable {
    /// Modules a side.
    public var size: Int
    /// The dark modules as an SVG path in units of one module.
    public var path: String

    /// - Returns: nil for a text that no code holds, see `QRCode`.
    public init?(_ text: String) {
        guard let code = QRCode(text) else { return nil }
        size = code.size
        path = code.path
    }
}
