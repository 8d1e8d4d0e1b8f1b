"""What a page has stored of a session that goes on, as tests reach it from outside."""

# The header, and what was recorded in its order; null where no session is stored.
STORED = """() => new Promise((done) => {
    indexedDB.open("tandem").onsuccess = ({ target: { result: db } }) => {
        const reading = db.transaction(["active-sessions", "session-chunks"]);
        const headers = reading.objectStore("active-sessions").getAll();
        const chunks = reading.objectStore("session-chunks").getAll();
        reading.oncomplete = () => {
            db.close();
            const [header] = headers.result;
            done(header ? { header, recording: chunks.result.flatMap(({ bytes }) => [...bytes]) } : null);
        };
    };
})"""


def stored_session(page):
    """What of an active session is on the disk: its recording, or None."""
    stored = page.evaluate(STORED)
    return stored and stored["recording"]


def chunk_count(page):
    """How many chunks are on the disk, of whatever session."""
    return page.evaluate(
        "() => new Promise((done) => { indexedDB.open('tandem').onsuccess = ({ target: { result: db } }) => {"
        " db.transaction('session-chunks').objectStore('session-chunks').count().onsuccess = (event) => {"
        " db.close(); done(event.target.result); }; }; })"
    )
