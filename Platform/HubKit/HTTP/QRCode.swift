import CQRCode

/// A text as a QR code (ISO/IEC 18004), made by libqrencode.
public struct QRCode: Sendable, Equatable {
    /// The number of modules on each side, without the quiet zone of four that is added when it is drawn.
    public let size: Int
    /// The modules, row by row; true is dark.
    public let modules: [Bool]

    /// Encodes a text in UTF-8, with error correction at level M, so that a smudge on a screen or a fold in paper does
    /// no harm. Nil if the text is empty or longer than a code holds (some 2,300 bytes).
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

    /// The dark modules as an SVG path in units of one module, one rectangle for each run in a row.
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

    /// The code as lines for a terminal, two rows of modules in each line, with its quiet zone.
    ///
    /// Light modules are drawn, since most terminals have a dark background; on a light one the escape sequence sets
    /// white on black.
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

/// A QR code in an API response.
public struct QRCodeResponse: Codable, Sendable {
    /// The number of modules on each side.
    public var size: Int
    /// The dark modules as an SVG path in units of one module.
    public var path: String

    /// Encodes a text; nil if no code can hold it, see ``QRCode``.
    public init?(_ text: String) {
        guard let code = QRCode(text) else { return nil }
        size = code.size
        path = code.path
    }
}
