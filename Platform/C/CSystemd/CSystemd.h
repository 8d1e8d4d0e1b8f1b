// libsystemd's client of D-Bus, and what wakes a thread that waits for it.
#include <poll.h>
#include <sys/eventfd.h>
#include <systemd/sd-bus.h>
