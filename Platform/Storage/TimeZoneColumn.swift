extension Schema {
    /// Somebody of the household may live by another clock: a parent who travels, a grandparent far away.
    static let personTimeZone = Migration("hub-004") { db in
        try db.execute(
            sql: """
                -- An IANA name; NULL for the household's own.
                ALTER TABLE person ADD COLUMN time_zone TEXT;
                -- When it was set to another one last; NULL where it never was.
                ALTER TABLE person ADD COLUMN time_zone_since INTEGER;
                """)
    }
}
