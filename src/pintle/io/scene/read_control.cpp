// [[control]]: efforts u = u0 - K (x - x0) on several joints, one FeedbackSpec for each.
#include "pintle/io/scene/scene_reader.h"
#include "pintle/model/links/joint_parts.h"
#include "pintle/text/quantity.h"

namespace pintle {
namespace {

/// A dof that an effort acts on.
struct Output {
  std::string joint;
  int dof = 0;
  Dimension effort{};
};

/// "cart", or "base.wx" for one dof of several. Empty after a problem.
std::optional<Output> read_output(SceneReader& scene, TomlTable& table, const std::string& text, const Origin& origin) {
  const auto found = [&](const std::string& joint, const JointKind kind, int dof) {
    return Output{joint, dof, dimension_of(effort_part(kind, dof).unit)};
  };
  if (const JointKind* const kind = scene.kind_of(text); kind != nullptr) {
    if (facts(*kind).nv == 1) return found(text, *kind, 0);
    const bool fixed = facts(*kind).nv == 0;
    table.file().add(origin, "scene-dof",
                     table.who() + ": joint '" + text + "' " + (fixed ? "is fixed" : "has several dofs"), "",
                     fixed ? "choose another joint"
                           : "add one of them: \"" + text + "." + std::string(velocity_part(*kind, 0).name) + "\", say");
    return std::nullopt;
  }
  const std::size_t dot = text.rfind('.');
  const std::string joint = text.substr(0, dot);
  const JointKind* const kind = dot == std::string::npos ? nullptr : scene.kind_of(joint);
  if (kind == nullptr) {
    scene.names.use(table, NameKind::joint, text, origin);
    return std::nullopt;
  }
  std::vector<std::string> known;
  for (int i = 0; i < facts(*kind).nv; ++i) {
    known.emplace_back(velocity_part(*kind, i).name);
    if (known.back() == text.substr(dot + 1)) return found(joint, *kind, i);
  }
  table.file().add(origin, "scene-dof",
                   table.who() + ": joint '" + joint + "' has no dof '" + text.substr(dot + 1) + "'",
                   "those of a " + std::string(facts(*kind).name) + " joint are: " + listed(known),
                   did_you_mean(text.substr(dot + 1), known, "choose one of them"));
  return std::nullopt;
}

/// An array of formulas; those of t alone are drives. `units` are those of numbers with a unit, one for each or none.
std::vector<Command> read_formulas(TomlTable& table, const char* key, std::span<const Dimension> units) {
  std::vector<Command> commands;
  const TomlValue* const value = table.value(key);
  if (value == nullptr) return commands;
  if (!value->is_array()) {
    table.problem(key, "scene-type", std::string("'") + key + "' is an array", "",
                  std::string("write ") + key + " = [\"q.cart\", \"v.cart\"], say");
    return commands;
  }
  for (std::size_t i = 0; i < value->items.size(); ++i) {
    const Dimension dimension = i < units.size() ? units[i] : Dimension();
    const TomlTable::Formula formula = table.formula(*table.keys().find(key), value->items[i], dimension);
    if (formula.is_number) {
      commands.emplace_back(formula.number);
      continue;
    }
    Result<Command> command = command_expression(formula.text, formula.origin, CommandScope::scene);
    table.file().add(command.diagnostics());
    for (const char* const own : {"q", "qd", "v"}) {
      const std::span<const std::string> names = command ? command->expression().variables() : std::span<const std::string>();
      for (std::size_t k = 0; k < names.size(); ++k) {
        if (names[k] != own || !command->expression().uses(static_cast<int>(k))) continue;
        table.file().add(command->expression().origin_of_variable(static_cast<int>(k)), "control-own-joint",
                         table.who() + ": '" + own + "' of which joint?",
                         "a control may act on several joints, so each is named",
                         std::string("write ") + (own[0] == 'q' && own[1] == '\0' ? "q" : "v") + ".JOINT");
      }
    }
    commands.push_back(command ? *command : Command());
  }
  return commands;
}

/// A row of gains for each of n joints, an entry for each of m states. Empty after a problem.
std::vector<std::vector<double>> read_gains(TomlTable& table, std::size_t n, std::size_t m) {
  std::vector<std::vector<double>> rows;
  const TomlValue* const value = table.value("gains");
  if (value == nullptr) return rows;
  const std::string shape = std::to_string(n) + (n == 1 ? " row" : " rows") + " of " + std::to_string(m);
  const auto wrong = [&](const std::string& what) {
    table.problem("gains", "control-size", what, "K has a row for each joint and in it an entry for each state: " + shape,
                  "write gains = [[1, 2], [3, 4]] for two joints and two states");
    rows.clear();
    return rows;
  };
  if (!value->is_array()) return wrong("'gains' is an array of rows");
  for (const TomlValue& row : value->items) {
    if (!row.is_array()) return wrong("a row of 'gains' is an array of numbers");
    rows.emplace_back();
    for (const TomlValue& entry : row.items) {
      if (!entry.is_number()) return wrong("'gains' has an entry that is not a number");
      rows.back().push_back(entry.number);
    }
    if (rows.back().size() != m)
      return wrong("row " + std::to_string(rows.size()) + " of 'gains' has " + std::to_string(rows.back().size()) +
                   " entries, and there are " + std::to_string(m) + " states");
  }
  if (rows.size() != n)
    return wrong("'gains' has " + std::to_string(rows.size()) + " rows, and there are " + std::to_string(n) + " joints");
  return rows;
}

void check_count(TomlTable& table, const char* key, std::size_t given, std::size_t needed, const char* of) {
  if (!table.has(key) || given == needed) return;
  table.problem(key, "control-size",
                std::string("'") + key + "' has " + std::to_string(given) + " entries, and there are " +
                    std::to_string(needed) + " " + of,
                "", "give one for each");
}

}  // namespace

void read_control(SceneReader& scene, TomlTable& table) {
  const std::string name = scene.names.give_or(table, NameKind::element, "control");
  std::vector<Output> outputs;
  std::vector<Dimension> efforts;
  const TomlValue* const joints = table.value("joints");
  const std::vector<std::string> texts = table.texts("joints");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) continue;
    std::optional<Output> output = read_output(scene, table, texts[i], table.text_origin_of(joints->items[i]));
    if (!output) continue;
    efforts.push_back(output->effort);
    outputs.push_back(*std::move(output));
  }
  FeedbackSpec common;
  common.states = read_formulas(table, "states", {});
  common.reference = read_formulas(table, "reference", {});
  const std::vector<Command> feed_forward = read_formulas(table, "feed_forward", efforts);
  const std::vector<std::vector<double>> gains = read_gains(table, texts.size(), common.states.size());
  check_count(table, "reference", common.reference.size(), common.states.size(), "states");
  check_count(table, "feed_forward", feed_forward.size(), texts.size(), "joints");
  std::vector<double> limits;
  if (outputs.size() == texts.size()) limits = table.quantities("effort_limit", efforts, true);
  table.ignore("effort_limit");
  common.sampling.period = table.quantity("sample_time", 0.0);
  common.sampling.offset = table.quantity("sample_offset", 0.0);
  common.sampling.delay = table.quantity("delay", 0.0);
  common.origin = table.origin_of("joints");
  table.finish();
  if (outputs.size() != texts.size() || gains.size() != texts.size()) return;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    FeedbackSpec feedback = common;
    feedback.name = texts.size() == 1 ? name : name + "." + texts[i];
    feedback.joint = outputs[i].joint;
    feedback.dof = outputs[i].dof;
    feedback.gains = gains[i];
    if (i < feed_forward.size()) feedback.feed_forward = feed_forward[i];
    if (i < limits.size()) feedback.effort_limit = limits[i];
    keep(scene.spec.feedbacks, std::move(feedback), table);
  }
}

}  // namespace pintle
