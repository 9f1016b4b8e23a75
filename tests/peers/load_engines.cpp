#include "load_engines.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace peers {
namespace {

const EngineLibrary* open_library(const std::string& path) {
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays open: its engines may be anywhere
  if (handle == nullptr) throw std::runtime_error(std::string("cannot open an engine: ") + dlerror());
  void* const symbol = dlsym(handle, "peers_engine_library");
  if (symbol == nullptr) throw std::runtime_error(path + " holds no adaptor of an engine");
  const EngineLibrary* (*library)() = nullptr;
  std::memcpy(&library, &symbol, sizeof symbol);
  return library();
}

std::vector<std::string> libraries_in(const std::vector<std::string>& folders) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& folder : folders)
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".so") paths.push_back(entry.path());
  // Builds of one engine beside each other.
  std::stable_sort(paths.begin(), paths.end(),
                   [](const auto& a, const auto& b) { return a.filename() < b.filename(); });
  return {paths.begin(), paths.end()};
}

std::string first_word(const char* text) {
  return std::string(text).substr(0, std::strcspn(text, " "));
}

}  // namespace

std::vector<Candidate> load_engines(const std::vector<std::string>& folders) {
  std::vector<Candidate> all;
  for (const std::string& path : libraries_in(folders)) {
    const EngineLibrary* const library = open_library(path);
    for (std::size_t i = 0; i < library->variants.size(); ++i) {
      std::string name = first_word(library->name);
      const std::string compiler = first_word(library->build);
      if (compiler == "clang" || compiler == "g++") name += " " + compiler;
      if (*library->variants[i] != '\0') name += std::string(" ") + library->variants[i];
      const auto has_name = [&](const Candidate& other) { return other.name == name; };
      if (std::none_of(all.begin(), all.end(), has_name))
        all.push_back({library, i, name, std::string(library->name) + ", " + library->build});
    }
  }
  const auto is_pintle = [](const Candidate& candidate) { return candidate.is("Pintle"); };
  std::stable_partition(all.begin(), all.end(), is_pintle);
  if (all.empty() || !is_pintle(all.front()) || is_pintle(all.back()))
    throw std::runtime_error("needs folders with the libraries of Pintle and of at least one other engine");
  return all;
}

}  // namespace peers
