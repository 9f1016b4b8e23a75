#include "pintle/io/scene/scene_changes.h"

#include <algorithm>
#include <charconv>

#include "pintle/base/nearest_name.h"

namespace pintle {
namespace {

constexpr const char* kCode = "scene-setting";

Diagnostic problem_at(int line, int column, std::string what, std::string why, std::string fix) {
  return make_error(kCode, Origin(kSettingsFile, line, column), std::move(what), std::move(why), std::move(fix));
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

bool is_space(char c) {
  return c == ' ' || c == '\t';
}

/// Sets the place of a value and of all values within it to a line of the settings.
void place(TomlValue& value, int line) {
  value.file = kSettingsFile;
  value.line = value.text_line = line;
  for (TomlValue& item : value.items) place(item, line);
  for (TomlMember& member : value.members) {
    member.file = kSettingsFile;
    member.line = line;
    place(member.value, line);
  }
}

TomlValue text_value(std::string text, int column) {
  TomlValue value;
  value.kind = TomlValue::Kind::text;
  value.text = std::move(text);
  value.column = value.text_column = column;
  return value;
}

/// The integer that a text represents, or -1.
int whole_number(std::string_view text) {
  int number = -1;
  const std::from_chars_result read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= 0 ? number : -1;
}

TomlMember* find_member(TomlValue& table, std::string_view key) {
  for (TomlMember& member : table.members)
    if (member.key == key) return &member;
  return nullptr;
}

const std::string* text_of(const TomlValue& table, std::string_view key) {
  const TomlValue* const value = table.find(key);
  return value != nullptr && value->is_text() ? &value->text : nullptr;
}

/// The name of what an unnamed element acts on.
const std::string* what_it_is_on(const TomlValue& table) {
  for (const char* const key : {"joint", "to", "on"}) {
    if (const std::string* const text = text_of(table, key)) return text;
    const TomlValue* const value = table.find(key);
    if (value != nullptr && value->is_table()) return text_of(*value, "on");
  }
  return nullptr;
}

std::vector<std::string> keys_of(const SceneTable& table) {
  std::vector<std::string> keys;
  for (const SceneKey& key : table.keys)
    if (key.name != "include") keys.emplace_back(key.name);
  return keys;
}

bool is_array_of_tables(const SceneKey& key) {
  return key.kind == KeyKind::tables;
}

}  // namespace

Diagnostics SceneChanges::read(const SceneSettings& settings) {
  Diagnostics problems;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    std::string line = settings[i];
    std::replace(line.begin(), line.end(), '\n', ' ');
    const Diagnostics found = read_one(line, static_cast<int>(i) + 1);
    problems.insert(problems.end(), found.begin(), found.end());
  }
  return problems;
}

Diagnostics SceneChanges::read_one(const std::string& setting, int line) {
  Change change;
  change.line = line;
  std::size_t at = 0;
  char quote = 0;
  std::string name;
  int column = 1;
  const auto end_part = [&] {
    while (!name.empty() && is_space(name.back())) name.pop_back();
    change.path.push_back({name, column});
    name.clear();
    column = static_cast<int>(at) + 2;
  };
  for (; at < setting.size() && (quote != 0 || setting[at] != '='); ++at) {
    const char c = setting[at];
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (quote == 0 && c == '.') {
      end_part();
    } else if (quote != 0 || !name.empty() || !is_space(c)) {
      name += c;
    }
  }
  end_part();
  const bool named =
      std::none_of(change.path.begin(), change.path.end(), [](const Step& step) { return step.name.empty(); });
  if (at == setting.size() || !named) {
    return {problem_at(line, at == setting.size() ? static_cast<int>(at) + 1 : 1, quoted(setting) + " is not a setting",
                       "a setting is a key of the scene, '=' and a value", "write run.step='1 ms', say")};
  }
  std::size_t begin = at + 1, end = setting.size();
  while (begin < end && is_space(setting[begin])) ++begin;
  while (end > begin && is_space(setting[end - 1])) --end;
  // Prepending a key of the same length keeps the columns those of the setting.
  const Result<TomlValue> parsed = parse_toml(std::string(at, 'k') + setting.substr(at), kSettingsFile);
  if (parsed && parsed->members.size() == 1) {
    change.value = parsed->members[0].value;
  } else if (begin < end && std::string_view("\"'[{").find(setting[begin]) != std::string_view::npos) {
    Diagnostics syntax = parsed.diagnostics();
    for (Diagnostic& problem : syntax) problem.origin.line = line;
    return syntax;
  } else {
    change.value = text_value(setting.substr(begin, end - begin), static_cast<int>(begin) + 1);
  }
  place(change.value, line);
  if (Diagnostics problems = check_path(change); !problems.empty()) return problems;
  changes_.push_back(std::move(change));
  return {};
}

/// Whether the first parts of a path exist.
Diagnostics SceneChanges::check_path(const Change& change) const {
  const Step& head = change.path[0];
  const SceneKey* const key = scene_root().find(head.name);
  if (key == nullptr || head.name == "include") {
    const std::vector<std::string> known = keys_of(scene_root());
    std::string fix = did_you_mean(head.name, known, "begin with one of them");
    for (const char* const table : {"run", "world"})
      if (scene_root().find(table)->table->find(head.name) != nullptr)
        fix = "did you mean " + quoted(std::string(table) + "." + head.name) + "?";
    return {problem_at(change.line, head.column, quoted(head.name) + " cannot be set",
                       "settings begin with: " + listed(known), std::move(fix))};
  }
  const SceneKey* const second =
      key->kind == KeyKind::table && change.path.size() > 2 ? key->table->find(change.path[1].name) : nullptr;
  if (second != nullptr && is_array_of_tables(*second)) {
    const std::string whole = head.name + "." + change.path[1].name;
    return {problem_at(change.line, change.path[1].column, "parts of " + quoted(whole) + " cannot be set one by one",
                       "its tables have no names",
                       "set a whole one, which replaces the old one: " + whole + "=[{...}]")};
  }
  const bool array = is_array_of_tables(*key), material = key->kind == KeyKind::named_tables;
  const std::size_t min_depth = array || material ? 3 : key->kind == KeyKind::table ? 2 : 1;
  if (change.path.size() >= min_depth) return {};
  const std::string example = head.name + (array ? ".NAME.KEY" : material ? ".NAME.density" : ".KEY");
  return {problem_at(change.line, head.column, "the setting names no key of " + quoted(head.name),
                     array      ? "tables are addressed by name, or by index from 0"
                     : material ? "materials are addressed by name"
                                : "",
                     "write " + example + "=...")};
}

void SceneChanges::set(TomlValue& table, const Change& change, std::size_t depth, TomlFile& file) const {
  TomlValue* within = &table;
  for (std::size_t i = depth; i < change.path.size(); ++i) {
    const Step& step = change.path[i];
    const bool last = i + 1 == change.path.size();
    TomlValue* next = nullptr;
    if (within->is_table()) {
      TomlMember* member = find_member(*within, step.name);
      if (member == nullptr) member = &within->members.emplace_back();
      if (member->key.empty() || last) {
        member->file = kSettingsFile;
        member->line = change.line;
        member->column = step.column;
      }
      if (member->key.empty()) {
        member->value.file = kSettingsFile;
        member->value.line = change.line;
        member->value.column = step.column;
      }
      member->key = step.name;
      next = &member->value;
    } else if (const int number = whole_number(step.name);
               within->is_array() && number >= 0 && number < static_cast<int>(within->items.size())) {
      next = &within->items[static_cast<std::size_t>(number)];
    } else {
      const bool array = within->is_array();
      file.add(Origin(kSettingsFile, change.line, step.column), kCode,
               quoted(change.path[i - 1].name) + " has no part " + quoted(step.name),
               array ? "it is an array of " + std::to_string(within->items.size()) + ", counted from 0"
                     : std::string("it is ") + type_name(within->kind),
               array ? "give a smaller number" : "set it as a whole");
      return;
    }
    if (last) *next = change.value;
    within = next;
  }
}

/// The names of a table: its own name, otherwise what it acts on, and its future default name.
std::vector<std::string> SceneChanges::names_of(std::string_view part, const TomlValue& table, int repetition) {
  const auto expanded = [&](const std::string& text) { return repetition > 0 ? expand(text, repetition).text : text; };
  if (const std::string* const name = text_of(table, "name")) return {expanded(*name)};
  const std::string* const on = what_it_is_on(table);
  const bool is_ground = part == "ground";
  if (on == nullptr && !is_ground) return {};
  const std::string place = is_ground ? std::string() : expanded(*on);
  std::string whole = is_ground ? std::string(part) : place + "_" + std::string(part);
  if (const int count = ++names_.find(part)->second.unnamed[whole]; count > 1) whole += "_" + std::to_string(count);
  if (is_ground) return {whole};
  return {whole, place};
}

const TomlValue* SceneChanges::changed(std::string_view part, int number, const TomlValue& table, int repetition,
                                       TomlFile& file) {
  if (changes_.empty()) return nullptr;
  const auto at = names_.try_emplace(std::string(part)).first;
  at->second.tables = std::max(at->second.tables, number + 1);
  const bool repeats = table.find("repeat") != nullptr;
  std::vector<std::string> names;
  // A table that is not repeated is processed once as a whole and once more as its only repetition.
  if (repetition > 0 || repeats) names = names_of(part, table, repeats ? repetition : 0);
  at->second.known.insert(at->second.known.end(), names.begin(), names.end());
  TomlValue* result = nullptr;
  for (Change& change : changes_) {
    if (change.path[0].name != part) continue;
    const std::string& called = change.path[1].name;
    const bool by_number = repetition == 0 && whole_number(called) == number;
    if (!by_number && std::find(names.begin(), names.end(), called) == names.end()) continue;
    change.used = true;
    if (const Step& key = change.path[2]; repetition > 0 && key.name == "repeat") {
      const std::string* const name = text_of(table, "name");
      file.add(Origin(kSettingsFile, change.line, key.column), kCode,
               quoted(called) + " cannot be repeated by its name",
               repeats ? "it is one of the copies made by 'repeat'" : "all would have the same name",
               repeats && name != nullptr ? "write " + std::string(part) + "." + *name + ".repeat=..."
                                          : "write repeat = n into the file, with {i} in the name");
      continue;
    }
    if (result == nullptr) result = &changed_.emplace_back(table);
    set(*result, change, 2, file);
  }
  return result;
}

const TomlValue* SceneChanges::changed_material(const std::string& name, const TomlValue& table, TomlFile& file) {
  TomlValue* result = nullptr;
  for (Change& change : changes_) {
    if (change.used || change.path[0].name != "material" || change.path[1].name != name) continue;
    change.used = true;
    if (result == nullptr) result = &changed_.emplace_back(table);
    set(*result, change, 2, file);
  }
  return result;
}

TomlValue SceneChanges::own_file(const std::vector<const TomlValue*>& files, TomlFile& problems) {
  TomlValue root;
  const auto has_material = [&](const std::string& name) {
    return std::any_of(files.begin(), files.end(), [&](const TomlValue* file) {
      const TomlValue* const materials = file->find("material");
      return materials != nullptr && materials->find(name) != nullptr;
    });
  };
  for (Change& change : changes_) {
    const bool material = change.path[0].name == "material" && !has_material(change.path[1].name);
    if (!material && is_array_of_tables(*scene_root().find(change.path[0].name))) continue;
    if (!material && change.path[0].name == "material") continue;
    change.used = true;
    set(root, change, 0, problems);
  }
  return root;
}

void SceneChanges::finish(TomlFile& file) {
  for (const Change& change : changes_) {
    if (change.used) continue;
    const std::string& part = change.path[0].name;
    const Step& called = change.path[1];
    const auto at = names_.find(part);
    const int count = at == names_.end() ? 0 : at->second.tables;
    std::vector<std::string> known;
    if (count > 0) known = at->second.known;
    const bool by_number = whole_number(called.name) >= 0;
    std::string why = count == 0 ? "the scene has none" : "";
    if (count > 0 && by_number) why = "there are " + std::to_string(count) + ", counted from 0";
    if (count > 0 && !by_number && known.size() <= 12) why = "there are: " + listed(known);
    file.add(Origin(kSettingsFile, change.line, called.column), kCode,
             "there is no " + part + (by_number ? " number " + called.name : " " + quoted(called.name)), std::move(why),
             count == 0  ? "leave the setting out, or add one to the file"
             : by_number ? "give a smaller number, or its name"
                         : did_you_mean(called.name, known, "correct the name, or give its number"));
  }
}

}  // namespace pintle
