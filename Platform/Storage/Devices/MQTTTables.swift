extension Schema {
    /// The tables of the broker: retained messages, and sessions with their subscriptions, queues and wills.
    ///
    /// In all of them `properties` are the fields of MQTT 5.0 that go on to subscribers, as bytes; `expires_at` is when a
    /// message is worth delivering no longer, NULL for never.
    static let mqtt = """
        CREATE TABLE mqtt_retained(
            topic TEXT PRIMARY KEY, payload BLOB NOT NULL, qos INTEGER NOT NULL, publisher TEXT NOT NULL,
            properties BLOB, expires_at INTEGER) WITHOUT ROWID;
        CREATE TABLE mqtt_session(
            id INTEGER PRIMARY KEY, principal TEXT NOT NULL, client TEXT NOT NULL,
            -- NULL for good. When the client left; NULL while it is there.
            expiry_seconds INTEGER, departed_at INTEGER, UNIQUE(principal, client));
        CREATE TABLE mqtt_subscription(
            session INTEGER NOT NULL REFERENCES mqtt_session ON DELETE CASCADE, filter TEXT NOT NULL,
            -- The byte of MQTT 5.0, section 3.8.3.1.
            options INTEGER NOT NULL,
            identifier INTEGER, PRIMARY KEY(session, filter)) WITHOUT ROWID;
        CREATE TABLE mqtt_queue(
            session INTEGER NOT NULL REFERENCES mqtt_session ON DELETE CASCADE, sequence INTEGER NOT NULL,
            topic TEXT NOT NULL, payload BLOB NOT NULL, qos INTEGER NOT NULL, publisher TEXT NOT NULL,
            properties BLOB, expires_at INTEGER,
            -- On what terms it is delivered; identifiers of subscriptions are apart by spaces.
            delivery_qos INTEGER NOT NULL, retain INTEGER NOT NULL, identifiers TEXT,
            -- The client has it, QoS 2.
            is_released INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(session, sequence)) WITHOUT ROWID;
        -- Packet ids of messages of QoS 2 that came, and were not released.
        CREATE TABLE mqtt_unreleased(
            session INTEGER NOT NULL REFERENCES mqtt_session ON DELETE CASCADE, packet_id INTEGER NOT NULL,
            PRIMARY KEY(session, packet_id)) WITHOUT ROWID;
        -- What a client leaves to be published when it is gone: when that is, NULL while its client is there, and how
        -- long it is worth delivering from then on, NULL for ever.
        CREATE TABLE mqtt_will(
            session INTEGER PRIMARY KEY REFERENCES mqtt_session ON DELETE CASCADE, topic TEXT NOT NULL,
            payload BLOB NOT NULL, qos INTEGER NOT NULL, retain INTEGER NOT NULL,
            delay_seconds INTEGER NOT NULL, properties BLOB, expiry_seconds INTEGER, due_at INTEGER);
        """

    /// Whether what the hub read of a retained message was stored with it: else the same message, sent again, is a new one.
    static let retainedReadings = "ALTER TABLE mqtt_retained ADD COLUMN is_read INTEGER NOT NULL DEFAULT 0"
}
