#include "interrupt.h"

#include <csignal>

namespace pintle::cli {
namespace {

constexpr int kHeeded[] = {SIGINT, SIGTERM};

volatile std::sig_atomic_t noted = 0;

void act_on(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // interrupted writes continue
  sigaction(signal, &action, nullptr);
}

extern "C" void note(int signal) {
  noted = signal;
  for (const int each : kHeeded) act_on(each, SIG_DFL);
}

}  // namespace

void note_interrupts() {
  noted = 0;
  for (const int each : kHeeded) {
    struct sigaction before {};
    sigaction(each, nullptr, &before);
    if (before.sa_handler != SIG_IGN) act_on(each, note);  // as nohup and background jobs expect
  }
}

int interrupting_signal() {
  return noted;
}

void ignore_write_signals() {
  act_on(SIGPIPE, SIG_IGN);
  act_on(SIGXFSZ, SIG_IGN);
}

}  // namespace pintle::cli
