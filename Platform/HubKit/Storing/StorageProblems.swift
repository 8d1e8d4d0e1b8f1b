import HTTPTypes

extension Problem {
    /// Says to whoever wanted something stored that the disk or the database is why it was not. A page that sends again what
    /// it has, as its outbox does, is done when there is room.
    package static func notStored(_ fault: StorageState.Fault) -> Problem {
        switch fault {
        case .full:
            Problem(
                .insufficientStorage, "The disk is full",
                "The hub’s disk is full, so nothing was stored. Free some space on it, then try again.", retryAfter: 10)
        case .refused:
            Problem(
                .serviceUnavailable, "Not stored",
                "The hub’s disk takes nothing at the moment, so nothing was stored. Look whether it is connected, worn out or mounted for reading only.",
                retryAfter: 10)
        case .damaged:
            Problem(
                .serviceUnavailable, "The database is damaged",
                "The hub’s database is damaged at this place, so this could not be done. Make a copy of the hub’s folder, then put a backup back: Settings, Backups.",
                retryAfter: 60)
        }
    }
}

extension HTTPResponse.Status {
    /// RFC 4918, 11.5.
    fileprivate static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
