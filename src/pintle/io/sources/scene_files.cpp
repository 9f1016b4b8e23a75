#include "pintle/io/sources/scene_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace pintle {
namespace {

constexpr std::string_view kFile = "file://", kPackage = "package://";

/// "arm" and "meshes/hand.stl" of "package://arm/meshes/hand.stl".
struct PackageName {
  std::string package, rest;
};
PackageName package_name(const std::string& name) {
  const std::size_t slash = std::min(name.find('/', kPackage.size()), name.size());
  return {name.substr(kPackage.size(), slash - kPackage.size()), name.substr(std::min(slash + 1, name.size()))};
}

Diagnostic not_found(const std::string& name, const std::vector<std::string>& places) {
  std::string why = "looked for:";
  for (const std::string& place : places) why += "\n" + place;
  return make_error("file-open", {}, "'" + name + "' was not found", places.empty() ? "" : std::move(why),
                    "check the name, and where its package is");
}

/// The folders of an environment variable, each with a suffix.
void add_folders(std::vector<std::string>& folders, const char* variable, const std::string& behind) {
  const char* const value = std::getenv(variable);
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) folders.push_back(std::string(rest.substr(0, colon)) + behind);
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
}

/// The possible places of a package's file, the most likely first; `folder` is that of the robot.
std::vector<std::string> package_places(const PackageName& name, const std::filesystem::path& folder,
                                        const std::vector<PackageFolder>& packages) {
  std::vector<std::string> places;
  const auto add = [&](const std::filesystem::path& place) { places.push_back((place / name.rest).string()); };
  for (const PackageFolder& package : packages)
    if (package.name == name.package) add(package.folder);
  std::vector<std::string> folders;
  add_folders(folders, "PINTLE_PACKAGE_PATH", "");
  add_folders(folders, "ROS_PACKAGE_PATH", "");
  for (const std::filesystem::path one : folders) {
    add(one / name.package);
    const std::filesystem::path last = one.filename().empty() ? one.parent_path().filename() : one.filename();
    if (last == name.package) add(one);
  }
  folders.clear();
  add_folders(folders, "AMENT_PREFIX_PATH", "/share");
  for (const std::filesystem::path one : folders) add(one / name.package);
  for (std::filesystem::path above = folder;; above = above.parent_path()) {
    add(above / name.package);
    if (above == above.parent_path()) break;
  }
  return places;
}

}  // namespace

bool straighten(const std::string& path, std::string& straight) {
  std::vector<std::string> parts;
  std::string part;
  const auto take = [&] {
    if (part == "..") {
      if (parts.empty()) return false;
      parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
    part.clear();
    return true;
  };
  for (const char c : path) {
    if (c != '/') {
      part += c;
    } else if (!take()) {
      return false;
    }
  }
  if (!take() || parts.empty()) return false;
  straight.clear();
  for (const std::string& one : parts) straight += (straight.empty() ? "" : "/") + one;
  return true;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

Result<std::string> read_whole_file(const std::string& path, std::size_t max_bytes) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    return make_error("file-open", Origin(path), "'" + path + "' cannot be opened", std::strerror(errno),
                      "check the name and the permissions");
  }
  std::string text;
  char buffer[1 << 16];
  std::size_t count = 0;
  while (text.size() <= max_bytes && (count = std::fread(buffer, 1, sizeof buffer, file)) > 0)
    text.append(buffer, count);
  const bool failed = std::ferror(file) != 0;
  const std::string reason = failed ? std::strerror(errno) : "";
  std::fclose(file);
  if (failed)
    return make_error("file-read", Origin(path), "'" + path + "' cannot be read", reason,
                      "name a regular file, and check its disk");
  if (text.size() > max_bytes) {
    return make_error("file-size", Origin(path), "'" + path + "' has more than " + std::to_string(max_bytes) + " bytes",
                      "larger files are not read, so that a wrong file name does no harm",
                      "check that it is the right file; make it smaller");
  }
  return text;
}

Result<std::string> DiskFiles::read(const std::string& path, std::size_t max_bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path file = fs::canonical(folder_ + path, error);
  if (error) {
    return make_error("file-open", {}, "'" + path + "' cannot be opened", error.message(),
                      "check the name: it is relative to the file that names it");
  }
  const fs::path folder = fs::canonical(folder_.empty() ? "." : folder_, error);
  const fs::path relative = file.lexically_relative(folder);
  if (error || relative.empty() || *relative.begin() == "..") {
    return make_error("file-place", {}, "a link leads from '" + path + "' out of the folder of the scene", kWhyBelow,
                      "copy the file there");
  }
  if (!fs::is_regular_file(file, error))
    return make_error("file-open", {}, "'" + path + "' is not a regular file", "", "name a file");
  return read_whole_file(file.string(), max_bytes);
}

Result<std::string> SceneFiles::find(const std::string& name, const std::string& folder,
                                     const std::vector<PackageFolder>&, std::size_t max_bytes) {
  std::vector<std::string> places;
  if (name.starts_with(kPackage)) {
    const PackageName of = package_name(name);
    for (std::string above = folder;; above = folder_of(above.substr(0, above.size() - 1))) {
      places.push_back(above + of.package + "/" + of.rest);
      if (above.empty()) break;
    }
  } else if (!name.starts_with(kFile)) {
    places.push_back(folder + name);
  }
  for (const std::string& place : places) {
    std::string path;
    if (place.starts_with('/') || place.find('\0') != std::string::npos || !straighten(place, path)) continue;
    Result<std::string> text = read(path, max_bytes);
    if (text) return text;
  }
  return not_found(name, places);
}

std::string SceneFiles::place_of(const std::string&, const std::string&, const std::vector<PackageFolder>&) {
  return {};
}

std::vector<std::string> DiskFiles::places_of(const std::string& name, const std::string& folder,
                                              const std::vector<PackageFolder>& packages) const {
  namespace fs = std::filesystem;
  if (name.starts_with(kFile)) return {name.substr(kFile.size())};
  std::error_code error;
  const std::string within = folder_ + folder;
  const fs::path here = fs::absolute(within.empty() ? "." : within, error).lexically_normal();
  if (name.starts_with(kPackage))
    return package_places(package_name(name), here.has_filename() ? here : here.parent_path(), packages);
  return {(here / name).lexically_normal().string()};
}

std::string DiskFiles::place_of(const std::string& name, const std::string& folder,
                                const std::vector<PackageFolder>& packages) {
  std::error_code error;
  for (const std::string& place : places_of(name, folder, packages))
    if (place.find('\0') == std::string::npos && std::filesystem::is_regular_file(place, error)) return place;
  return {};
}

Result<std::string> DiskFiles::find(const std::string& name, const std::string& folder,
                                    const std::vector<PackageFolder>& packages, std::size_t max_bytes) {
  const std::string place = place_of(name, folder, packages);
  return place.empty() ? not_found(name, places_of(name, folder, packages)) : read_whole_file(place, max_bytes);
}

Result<std::string> NoFiles::read(const std::string& path, std::size_t) {
  return make_error("file-open", {}, "'" + path + "' cannot be read", "this scene is a text without a folder",
                    "put all of it into one text");
}

}  // namespace pintle
