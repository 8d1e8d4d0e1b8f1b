extension Schema {
    /// Who holds a device that the family shares, and whose an answer was that may be given again.
    static let confirmations = Migration("hub-confirmations") { db in
        try db.execute(
            sql: """
                -- When the account's password was typed on this device last, for the adult who uses it.
                ALTER TABLE sign_in ADD COLUMN confirmed_at INTEGER;
                -- Who was answered: the account, and who used the page. NULL in what was kept before this was.
                ALTER TABLE receipt ADD COLUMN account TEXT;
                ALTER TABLE receipt ADD COLUMN profile TEXT;
                """)
    }
}
