// The readers of the hub are internal to their modules, so that this is built where modules can be tested alone: in debug
// builds, and by scripts/fuzz.sh.
import FuzzTargets

extension FuzzTarget {
    /// Every target of the hub, in the order in which they are run.
    public static var hub: [FuzzTarget] {
        connections + fields + texts + bodies + certificates + archives + readings
    }
}
