// Handles Ctrl-C (SIGINT) and SIGTERM: a run stops where it is and keeps its results.
#pragma once

namespace pintle::cli {

/// From now on the first SIGINT or SIGTERM is only recorded; the next one ends the program at once.
void note_interrupts();

/// The recorded signal, or 0.
int interrupting_signal();

/// Makes writing to a closed pipe, or to a file of maximum size, an ordinary error.
void ignore_write_signals();

}  // namespace pintle::cli
