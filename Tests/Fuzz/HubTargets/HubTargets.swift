import FuzzTargets

extension FuzzTarget {
    /// Every target of the hub, in the order in which they are run.
    public static var hub: [FuzzTarget] {
        connections + fields + texts + bodies + certificates + archives + backups + readings + homeAssistant + mail
            + passkeys
    }
}
