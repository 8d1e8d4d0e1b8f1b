// The few C functions that Embedded Swift expects from its platform. Nothing to call from Swift.
