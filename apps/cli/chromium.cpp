#include "chromium.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>
#include <vector>

#include "exit_code.h"
#include "interrupt.h"
#include "pintle/text/json.h"

namespace pintle::cli {
namespace {

namespace fs = std::filesystem;

std::string on_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::string folders = path == nullptr ? "" : path;
  for (std::size_t begin = 0; begin <= folders.size();) {
    std::size_t end = folders.find(':', begin);
    if (end == std::string::npos) end = folders.size();
    const std::string file = folders.substr(begin, end - begin) + "/" + name;
    if (end > begin && access(file.c_str(), X_OK) == 0 && !fs::is_directory(file)) return file;
    begin = end + 1;
  }
  return "";
}

std::string find_program() {
  const char* const named = std::getenv("PINTLE_CHROMIUM");
  if (named != nullptr && *named != '\0') {
    const std::string name = named;
    const std::string file = name.find('/') == std::string::npos ? on_path(name) : name;
    if (file.empty() || access(file.c_str(), X_OK) != 0)
      throw CommandError(ExitCode::io, fmt::format("PINTLE_CHROMIUM: there is no program '{}'", name));
    return file;
  }
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    const std::string file = on_path(name);
    if (!file.empty()) return file;
  }
  throw CommandError(ExitCode::io,
                     "pictures are drawn by Chromium, and there is none on the path. On Debian: apt-get install\n"
                     "chromium; elsewhere let PINTLE_CHROMIUM name the program of a Chromium or Chrome");
}

/// Creates a pipe whose descriptors are above those that the browser inherits.
std::array<int, 2> pipe_above() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw CommandError(ExitCode::io, std::strerror(errno));
  for (int& end : ends) {
    const int above = fcntl(end, F_DUPFD_CLOEXEC, 10);
    close(end);
    end = above;
  }
  return ends;
}

std::string last_lines(const std::string& path) {
  std::ifstream file(path);
  std::string text, line;
  while (std::getline(file, line)) {
    // Skips the browser's messages about services that a machine without a desktop does not have.
    if (line.empty() || line.find("dbus") != std::string::npos) continue;
    text = (text.size() > 300 ? "" : text) + "\n  " + line;
  }
  return text;
}

}  // namespace

Chromium::Chromium(std::chrono::seconds limit) : deadline_(std::chrono::steady_clock::now() + limit), limit_(limit) {
  program_ = find_program();
  std::error_code error;
  fs::path parent = fs::temp_directory_path(error);
  if (error) parent = "/tmp";
  folder_ = (parent / "pintle-render-XXXXXX").string();
  if (mkdtemp(folder_.data()) == nullptr) {
    const int reason = errno;
    const std::string name = std::exchange(folder_, "");
    throw CommandError(ExitCode::io, fmt::format("'{}' cannot be made: {}", name, std::strerror(reason)));
  }
  note_interrupts();
  try {
    start(program_);
  } catch (...) {
    stop();
    throw;
  }
}

Chromium::~Chromium() {
  stop();
}

void Chromium::start(const std::string& program) {
  const std::array<int, 2> down = pipe_above(), up = pipe_above();
  to_ = down[1];
  from_ = up[0];
  std::vector<std::string> words{program,
                                 "--headless",
                                 "--remote-debugging-pipe",
                                 "--user-data-dir=" + folder_,
                                 "--use-gl=angle",
                                 "--use-angle=swiftshader",
                                 "--enable-unsafe-swiftshader",
                                 "--disable-dev-shm-usage",
                                 "--disable-background-networking",
                                 "--disable-component-update",
                                 "--disable-extensions",
                                 "--disable-sync",
                                 "--no-first-run",
                                 "--no-default-browser-check",
                                 "about:blank"};
  if (geteuid() == 0) words.insert(words.end() - 1, "--no-sandbox");  // with a sandbox it does not start as root
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string log = folder_ + "/messages.txt";
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, down[0], 3);
  posix_spawn_file_actions_adddup2(&files, up[1], 4);
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&how, 0);
  const int error = posix_spawn(&process_, program.c_str(), &files, &how, arguments.data(), environ);
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&files);
  close(down[0]);
  close(up[1]);
  if (error == 0) return;
  process_ = -1;
  throw CommandError(ExitCode::io, fmt::format("'{}' cannot be started: {}", program, std::strerror(error)));
}

void Chromium::stop() {
  if (to_ >= 0) close(to_);
  if (from_ >= 0) close(from_);
  to_ = from_ = -1;
  if (process_ > 0) {
    kill(-process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
  }
  // Browser processes that end a moment later may still write.
  for (int tries = 0; !folder_.empty() && tries < 50; ++tries) {
    std::error_code error;
    fs::remove_all(folder_, error);
    if (!error && !fs::exists(folder_, error)) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void Chromium::fail(const std::string& what) {
  throw CommandError(ExitCode::io, fmt::format("{}: {}{}", program_, what, last_lines(folder_ + "/messages.txt")));
}

int Chromium::wait_for(int descriptor, short events) {
  while (true) {
    if (const int signal = interrupting_signal(); signal != 0)
      throw CommandError(signal == SIGTERM ? ExitCode::terminated : ExitCode::interrupted,
                         "stopped; nothing was written");
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - std::chrono::steady_clock::now());
    if (left.count() <= 0) fail(fmt::format("no picture within {} s", limit_.count()));
    pollfd one{.fd = descriptor, .events = events, .revents = 0};
    const int ready = poll(&one, 1, static_cast<int>(std::min<std::chrono::milliseconds::rep>(left.count(), 1000)));
    if (ready > 0) return one.revents;
    if (ready < 0 && errno != EINTR) fail(std::strerror(errno));
  }
}

void Chromium::send(const std::string& message) {
  for (std::size_t done = 0; done <= message.size();) {  // including the terminating zero
    wait_for(to_, POLLOUT);
    const ssize_t count = write(to_, message.c_str() + done, std::min<std::size_t>(message.size() + 1 - done, 4096));
    if (count < 0 && errno != EINTR) fail("it has ended");
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

std::string Chromium::receive() {
  std::size_t looked_at = 0;
  while (true) {
    const std::size_t end = received_.find('\0', looked_at);
    if (end != std::string::npos) {
      std::string message = received_.substr(0, end);
      received_.erase(0, end + 1);
      return message;
    }
    looked_at = received_.size();
    wait_for(from_, POLLIN);
    std::array<char, 65536> bytes{};
    const ssize_t count = read(from_, bytes.data(), bytes.size());
    if (count == 0) fail("it has ended");
    if (count < 0 && errno != EINTR) fail(std::strerror(errno));
    if (count > 0) received_.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

Json Chromium::call(const std::string& method, const Json& parameters) {
  Json message{{"id", ++calls_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) message["sessionId"] = session_;
  send(message.dump());
  while (true) {
    const Json reply = Json::parse(receive()).value_or(Json());
    if (!reply.is_object() || reply["id"].as_number() != calls_) continue;
    if (reply.contains("error")) fail(fmt::format("{}: {}", method, reply["error"]["message"].as_string()));
    return reply["result"];
  }
}

void Chromium::open(const std::string& url) {
  const Json target = call("Target.createTarget", {{"url", url}});
  const Json attached = call("Target.attachToTarget", {{"targetId", target["targetId"]}, {"flatten", true}});
  session_ = attached["sessionId"].as_string();
  while (!evaluate("location.href !== 'about:blank' && document.readyState === 'complete'").as_bool())
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

Json Chromium::evaluate(const std::string& expression) {
  const Json reply = call("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}});
  if (reply.contains("exceptionDetails")) {
    const Json& details = reply["exceptionDetails"];
    fail((details.contains("exception") ? details["exception"]["description"] : details["text"]).as_string());
  }
  return reply["result"]["value"];
}

}  // namespace pintle::cli
