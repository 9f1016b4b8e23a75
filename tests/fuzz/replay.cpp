// Runs a fuzz target over the files of its corpus, without libFuzzer: what once was wrong stays repaired, under every
// compiler and sanitizer. usage: <target>_replay FOLDER
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/properties.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    std::printf("%s\n", file.filename().c_str());
    std::fflush(stdout);
    // Every beginning too: files are cut short.
    for (std::size_t n = 0; n <= text.size(); n += std::max<std::size_t>(1, text.size() / 64))
      LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char*>(text.data()), n);
    LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  return files.empty() ? 1 : 0;
}
