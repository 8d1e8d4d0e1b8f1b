import Storage

/// Goals in the child's own words, and scores that a clinic measured: typed in, and computed from nothing here.
enum GoalTables {
    static let migration = Migration("drums-008") { db in
        try db.execute(
            sql: """
                CREATE TABLE drums_goal(
                    id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
                    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, text TEXT NOT NULL, state TEXT NOT NULL,
                    created_at INTEGER NOT NULL, reached_at INTEGER) WITHOUT ROWID;
                CREATE INDEX drums_goal_person ON drums_goal(person, created_at);
                -- Days since 1 January 1970. What is measured for each goal names it; what is measured for each hand, the
                -- side. A second value is COPM's satisfaction. What was removed can be put back.
                CREATE TABLE drums_clinic_score(
                    id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
                    person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, measure TEXT NOT NULL, day INTEGER NOT NULL,
                    side TEXT, goal TEXT REFERENCES drums_goal ON DELETE CASCADE, value INTEGER NOT NULL,
                    satisfaction INTEGER, created_at INTEGER NOT NULL, removed_at INTEGER) WITHOUT ROWID;
                CREATE INDEX drums_clinic_score_person ON drums_clinic_score(person, day);
                """)
    }
}
