extension Schema {
    /// In which language whoever is told something reads.
    static let languages = Migration("hub-languages") { db in
        try db.execute(
            sql: """
                -- BCP 47; NULL where it is not known.
                ALTER TABLE household ADD COLUMN language TEXT;
                ALTER TABLE push_subscription ADD COLUMN language TEXT;
                -- What was said in other languages than English: JSON, by language.
                ALTER TABLE reminder ADD COLUMN translations TEXT;
                """)
    }
}
