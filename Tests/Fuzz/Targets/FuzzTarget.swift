/// One reader of foreign bytes, and what must hold for any bytes at all.
public struct FuzzTarget: Sendable {
    /// What `make fuzz` calls it, and the folder of its cases.
    public let name: String
    /// The longest input that is worth trying, in bytes.
    public let longestInput: Int
    /// Words of its language, which random bytes would seldom hit.
    public let dictionary: [String]
    /// Inputs that are read, to begin with.
    public let seeds: [[UInt8]]
    /// Reads the bytes and checks what came of them. A trap, too, is a finding.
    public let check: @Sendable ([UInt8]) throws(BrokenProperty) -> Void

    /// A target of this name.
    public init(
        _ name: String, longestInput: Int = 4_096, dictionary: [String] = [], seeds: [[UInt8]] = [],
        check: @escaping @Sendable ([UInt8]) throws(BrokenProperty) -> Void
    ) {
        self.name = name
        self.longestInput = longestInput
        self.dictionary = dictionary
        self.seeds = seeds
        self.check = check
    }

    /// Every target below the hub, in the order in which they are run. Those of the hub are in `HubFuzzTargets`.
    public static var readers: [FuzzTarget] {
        mqtt + wire + advertisements + tables + samples + brushing + drums + motionLab + propertyLists + plants
            + triviaToy + flashFiles + boardImages
    }
}

/// A property that does not hold for some input.
public struct BrokenProperty: Error, CustomStringConvertible {
    /// The property, as a sentence.
    public let description: String

    /// - Parameter description: the property, as a sentence.
    package init(description: String) { self.description = description }
}

/// Throws unless `condition` holds.
/// - Parameter property: what should hold, as a sentence.
package func require(_ condition: Bool, _ property: @autoclosure () -> String) throws(BrokenProperty) {
    guard condition else { throw BrokenProperty(description: property()) }
}

/// The value of an operation that may not fail here.
package func succeeds<Value, Failure: Error>(
    _ property: @autoclosure () -> String, _ body: () throws(Failure) -> Value
) throws(BrokenProperty) -> Value {
    do throws(Failure) {
        return try body()
    } catch {
        throw BrokenProperty(description: "\(property()): \(error)")
    }
}
