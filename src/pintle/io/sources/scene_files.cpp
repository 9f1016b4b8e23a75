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

#include "pintle/text/shell_word.h"

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

std::string below(const std::string& root, const std::string& path) {
  return path.starts_with('/') ? path : root + path;
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

namespace {

namespace fs = std::filesystem;

/// Whether a file, without links in its path, is in a folder or below.
bool is_below(const fs::path& file, const std::string& folder) {
  std::error_code error;
  const fs::path place = fs::canonical(folder.empty() ? "." : folder, error);
  if (error) return false;
  const fs::path relative = file.lexically_relative(place);
  return !relative.empty() && *relative.begin() != "..";
}

Diagnostic not_permitted(const std::string& what, const std::string& folder) {
  return make_error("file-place", {}, what, kWhyBelow,
                    "copy the file there, or permit its folder: --allow " + shell_word(folder) +
                        " (in C++: FileAccess)");
}

}  // namespace

/// Whether a file, without links in its path, may be read.
bool DiskFiles::permits(const std::string& file) const {
  const auto holds = [&](const std::string& folder) { return is_below(file, folder); };
  const auto is_it = [&](const std::string& named) {
    std::error_code error;
    return fs::canonical(named, error) == fs::path(file);
  };
  return holds(folder_) || std::any_of(access_.allowed.begin(), access_.allowed.end(), holds) ||
         std::any_of(access_.packages.begin(), access_.packages.end(),
                     [&](const PackageFolder& package) { return holds(package.folder); }) ||
         std::any_of(named_by_caller_.begin(), named_by_caller_.end(), is_it);
}

Result<std::string> DiskFiles::path_of(const std::string& name, const std::string& folder, bool by_caller) {
  std::string path;
  const bool is_package = name.starts_with(kPackage);
  if (!is_package && !name.empty() && !name.starts_with('/') && !folder.starts_with('/') &&
      name.find('\0') == std::string::npos && straighten(folder + name, path)) {
    if (by_caller) named_by_caller_.push_back(below(folder_, path));  // it may be a link
    return path;
  }
  if (name.empty() || name.find('\0') != std::string::npos) return SceneFiles::path_of(name, folder, by_caller);
  fs::path place = name.starts_with('/') ? name : below(folder_, folder) + name;
  if (is_package) {
    const PackageName of = package_name(name);
    const auto package = std::find_if(access_.packages.begin(), access_.packages.end(),
                                      [&](const PackageFolder& one) { return one.name == of.package; });
    if (package == access_.packages.end()) {
      return make_error("file-place", {}, "the package of '" + name + "' is not known",
                        "a scene reads packages only from folders that you name",
                        "give --package " + shell_word(of.package + "=FOLDER") + " (in C++: FileAccess)");
    }
    place = fs::path(package->folder) / of.rest;
  }
  std::error_code error;
  const std::string absolute = fs::absolute(place, error).lexically_normal().string();
  if (by_caller && !is_package) named_by_caller_.push_back(absolute);
  // A file that does not exist is told as such only where it may be.
  fs::path file = fs::weakly_canonical(absolute, error);
  if (error) file = absolute;
  if (!permits(file.string()) && !by_caller) {
    return not_permitted("the file '" + name + "' is not in the folder of the scene",
                         fs::path(absolute).parent_path().string());
  }
  // A file has one path, by which it is known however it is named.
  if (!is_below(file, folder_)) return absolute;
  return file.lexically_relative(fs::canonical(folder_.empty() ? "." : folder_, error)).string();
}

Result<std::string> DiskFiles::read(const std::string& path, std::size_t max_bytes) {
  std::error_code error;
  const fs::path file = fs::canonical(below(folder_, path), error);
  if (error) {
    return make_error("file-open", {}, "'" + path + "' cannot be opened", error.message(),
                      "check the name: it is relative to the file that names it");
  }
  if (!permits(file.string())) {
    return not_permitted("a link leads from '" + path + "' out of the folder of the scene",
                         file.parent_path().string());
  }
  if (!fs::is_regular_file(file, error))
    return make_error("file-open", {}, "'" + path + "' is not a regular file", "", "name a file");
  return read_whole_file(file.string(), max_bytes);
}

Result<std::string> SceneFiles::path_of(const std::string& name, const std::string& folder, bool) {
  std::string path;
  if (!name.empty() && name.front() != '/' && name.find('\0') == std::string::npos && straighten(folder + name, path))
    return path;
  return make_error("file-place", {}, "the file '" + name + "' is not in the folder of the scene", kWhyBelow,
                    "copy the file there and name it relative to the scene");
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
  if (name.starts_with(kFile)) return {name.substr(kFile.size())};
  std::error_code error;
  const std::string within = below(folder_, folder);
  const fs::path here = fs::absolute(within.empty() ? "." : within, error).lexically_normal();
  if (name.starts_with(kPackage)) {
    std::vector<PackageFolder> all = access_.packages;
    all.insert(all.end(), packages.begin(), packages.end());
    return package_places(package_name(name), here.has_filename() ? here : here.parent_path(), all);
  }
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
