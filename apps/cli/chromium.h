// A headless Chromium, driven over a pipe (Chrome DevTools Protocol), that renders reports.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "pintle/text/json.h"

namespace pintle::cli {

/// One browser with its own profile folder; the destructor removes both. Problems are thrown as CommandError.
class Chromium {
 public:
  /// Starts the program that PINTLE_CHROMIUM names, otherwise the first of chromium, chromium-browser and google-chrome
  /// on the path. All requests must finish within `limit`.
  explicit Chromium(std::chrono::seconds limit);
  Chromium(const Chromium&) = delete;
  Chromium& operator=(const Chromium&) = delete;
  ~Chromium();

  /// Opens a page and waits until it has loaded.
  void open(const std::string& url);

  /// The value of a JavaScript expression on that page.
  Json evaluate(const std::string& expression);

 private:
  void start(const std::string& program);
  void stop();
  Json call(const std::string& method, const Json& parameters);
  void send(const std::string& message);
  std::string receive();
  [[noreturn]] void fail(const std::string& what);
  int wait_for(int descriptor, short events);

  std::chrono::steady_clock::time_point deadline_;
  std::chrono::seconds limit_;
  std::string program_, folder_, session_, received_;
  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
  int calls_ = 0;
};

}  // namespace pintle::cli
