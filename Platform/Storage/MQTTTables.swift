import GRDB

extension Schema {
    /// What MQTT 5.0 and messages of QoS 2 have beside what the first tables hold.
    static let mqtt5 = Migration("hub-mqtt-5") { db in
        try db.execute(
            sql: """
                -- Property fields that go on to subscribers, and when a message expires, UTC milliseconds.
                ALTER TABLE mqtt_retained ADD COLUMN properties BLOB;
                ALTER TABLE mqtt_retained ADD COLUMN expires_at INTEGER;
                ALTER TABLE mqtt_queue ADD COLUMN properties BLOB;
                ALTER TABLE mqtt_queue ADD COLUMN expires_at INTEGER;
                -- On what terms it is delivered; identifiers of subscriptions are apart by spaces.
                ALTER TABLE mqtt_queue ADD COLUMN delivery_qos INTEGER NOT NULL DEFAULT 1;
                ALTER TABLE mqtt_queue ADD COLUMN retain INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE mqtt_queue ADD COLUMN identifiers TEXT;
                -- The client has it, QoS 2.
                ALTER TABLE mqtt_queue ADD COLUMN is_released INTEGER NOT NULL DEFAULT 0;
                -- Seconds; NULL for good. When the client left; NULL while it is there.
                ALTER TABLE mqtt_session ADD COLUMN expiry_seconds INTEGER;
                ALTER TABLE mqtt_session ADD COLUMN departed_at INTEGER;
                -- The byte of MQTT 5.0, section 3.8.3.1; NULL where there is no more than a quality of service.
                ALTER TABLE mqtt_subscription ADD COLUMN options INTEGER;
                ALTER TABLE mqtt_subscription ADD COLUMN identifier INTEGER;
                -- Packet ids of messages of QoS 2 that came, and were not released.
                CREATE TABLE mqtt_unreleased(
                    session INTEGER NOT NULL REFERENCES mqtt_session ON DELETE CASCADE, packet_id INTEGER NOT NULL,
                    PRIMARY KEY(session, packet_id)) WITHOUT ROWID;
                """)
    }

    /// What a client of a session leaves to be published when it is gone.
    static let mqttWills = Migration("hub-mqtt-wills") { db in
        try db.execute(
            sql: """
                -- Property fields that go on to subscribers; seconds, NULL for ever, from when it is published; when that
                -- is, UTC milliseconds, NULL while its client is there.
                CREATE TABLE mqtt_will(
                    session INTEGER PRIMARY KEY REFERENCES mqtt_session ON DELETE CASCADE, topic TEXT NOT NULL,
                    payload BLOB NOT NULL, qos INTEGER NOT NULL, retain INTEGER NOT NULL,
                    delay_seconds INTEGER NOT NULL, properties BLOB, expiry_seconds INTEGER, due_at INTEGER);
                """)
    }
}
