import Foundation

/// A Jupyter notebook (nbformat 4.5) that reads the archive it lies in and draws each sensor, with pandas and
/// Matplotlib.
enum Notebook {
    private struct File: Encodable {
        struct Cell: Encodable {
            var cellType = "code"
            var id: String
            var metadata: [String: String] = [:]
            var executionCount: Int?
            var outputs: [String] = []
            var source: [String]

            private enum CodingKeys: String, CodingKey {
                case id, metadata, outputs, source
                case cellType = "cell_type"
                case executionCount = "execution_count"
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(cellType, forKey: .cellType)
                try container.encode(id, forKey: .id)
                try container.encode(metadata, forKey: .metadata)
                // The format wants the key, with null.
                try container.encode(executionCount, forKey: .executionCount)
                try container.encode(outputs, forKey: .outputs)
                try container.encode(source, forKey: .source)
            }
        }

        var cells: [Cell]
        var metadata: [String: String] = [:]
        var format = 4
        var formatMinor = 5

        private enum CodingKeys: String, CodingKey {
            case cells, metadata
            case format = "nbformat"
            case formatMinor = "nbformat_minor"
        }
    }

    private static let read = """
        import json
        import pandas as pd

        with open("recordings.json", encoding="utf-8") as file:
            recordings = json.load(file)["recordings"]
        tables = {table["path"]: pd.read_csv(table["path"]) for entry in recordings for table in entry["tables"]}
        """
    private static let draw = """
        import matplotlib.pyplot as plt

        for entry in recordings:
            for table in entry["tables"]:
                values = table["columns"][2:]
                axes = tables[table["path"]].plot(x="seconds", y=[column["name"] for column in values])
                axes.set_xlabel("s")
                axes.set_ylabel(values[0]["unit"])
                axes.set_title(f"{entry['recording']['name']} {table['sensor']}")
        plt.show()
        """

    static func file() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let cells = [("read", read), ("draw", draw)].map { id, source in
            File.Cell(id: id, source: source.split(separator: "\n", omittingEmptySubsequences: false).lines)
        }
        return String(decoding: try encoder.encode(File(cells: cells)), as: UTF8.self) + "\n"
    }
}

extension [Substring] {
    /// The lines, each with its line feed, but the last.
    fileprivate var lines: [String] {
        enumerated().map { place, line in place < count - 1 ? line + "\n" : String(line) }
    }
}
