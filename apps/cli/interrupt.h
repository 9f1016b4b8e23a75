// Ctrl-C and its kin: a run stops where it is and keeps what it has.
#pragma once

namespace pintle::cli {

/// From now on the first SIGINT or SIGTERM is only noted; the next one ends the program at once.
void note_interrupts();

/// The signal that was noted, or 0.
int interrupting_signal();

/// Writing to a pipe that nobody reads, or to a file that has its largest size, is an error like any other.
void ignore_write_signals();

}  // namespace pintle::cli
