/// A permission of a program to read: some companions, of one person or of everyone.
package struct ReadGrant: Sendable, Equatable {
    /// The slugs of the companions.
    package var companions: Set<String>
    /// Whether it reads what is everyone's, as an adult sees it, and not one person's alone.
    package var isForEveryone: Bool

    /// Creates a permission.
    package init(companions: Set<String>, isForEveryone: Bool) {
        self.companions = companions
        self.isForEveryone = isForEveryone
    }
}
