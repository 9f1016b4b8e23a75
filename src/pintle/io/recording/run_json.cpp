#include "pintle/io/recording/run_json.h"

#include <cmath>

#include "pintle/base/hash.h"
#include "pintle/base/version.h"
#include "pintle/io/recording/run_checks.h"
#include "pintle/simulation/contact/contact_setup.h"
#include "pintle/simulation/recording/joint_columns.h"
#include "pintle/text/json.h"
#include "pintle/text/utf8.h"

namespace pintle {
namespace {

Json or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json json_of(const RunSpec& run) {
  return {{"method", facts(run.method).name},
          {"step", run.step},
          {"fixed_step", run.fixed_step || !facts(run.method).estimates_error},
          {"tolerances", {{"relative", run.tolerances.relative}, {"absolute", run.tolerances.absolute}}},
          {"smallest_step", run.smallest_step},
          {"largest_step", run.largest_step},
          {"t0", run.t0},
          {"duration", run.duration},
          {"rows", run.rows},
          {"row_every", run.row_every},
          {"energy_balance", run.energy_balance},
          {"certificate", run.certificate},
          {"certificate_limit", run.certificate ? run.certificate_limit : __builtin_inf()},
          {"contact_forces", run.contact_forces},
          {"contact", name(run.contact)},
          {"min_rebound_time", run.min_rebound_time},
          {"momentum_state", run.momentum_state},
          {"momentum_point", run.momentum_state ? Json(run.momentum_point) : Json()}};
}

/// Values by the names of their columns, without the part before the first dot.
Json by_name(std::span<const Column> columns, std::span<const double> numbers) {
  Json object = Json::object();
  for (std::size_t i = 0; i < columns.size(); ++i)
    object[columns[i].name.substr(columns[i].name.find('.') + 1)] = numbers[i];
  return object;
}

Json json_of(const Energies& energies) {
  return {{"kinetic", energies.kinetic},
          {"gravity", energies.gravity},
          {"springs", energies.springs},
          {"stored", energies.stored},
          {"total", energies.total()}};
}

const char* word_of(AccountKind kind) {
  static constexpr const char* kWords[] = {"element", "prescribed", "damper", "friction", "joint-limit", "contact",
                                            "surface"};
  return kWords[static_cast<int>(kind)];
}

Json momentum_json(const Vec3<>& start, const Vec3<>& end, const Balance& balance) {
  return {{"start", Json(start)},
          {"end", Json(end)},
          {"residual", balance.rest},
          {"residual_relative", balance.relative()}};
}

Json energy_balance_json(Simulation& simulation) {
  const EnergyBalance& energy_balance = simulation.energy_balance();
  Json json{{"energy", {{"start", json_of(energy_balance.start())}, {"end", json_of(energy_balance.now())}}}};
  const bool kept = simulation.scene().run().energy_balance;
  Json accounts = Json::array();
  for (std::size_t i = 0; kept && i < simulation.accounts().size(); ++i) {
    const WorkAccount& account = simulation.accounts()[i];
    accounts.push_back({{"name", account.name}, {"kind", word_of(account.kind)}, {"work", energy_balance.work()[i]}});
    accounts.back()["clipped"] = account.clipped >= 0 ? Json(energy_balance.clipped()[i]) : Json();
  }
  json["accounts"] = accounts;
  json["residual"] = kept ? Json(energy_balance.energy().rest) : Json();
  json["residual_relative"] = kept ? Json(energy_balance.energy().relative()) : Json();
  json["momentum"] = nullptr;
  if (!kept) return json;
  json["momentum"] = {{"linear", momentum_json(energy_balance.momentum_at_start().linear,
                                               energy_balance.momentum().linear, energy_balance.linear())},
                      {"angular", momentum_json(energy_balance.momentum_at_start().angular,
                                                energy_balance.momentum().angular, energy_balance.angular())}};
  return json;
}

Json residuals_json(const ContactResiduals& r) {
  return {{"worst", r.worst()},
          {"momentum", r.momentum},
          {"energy", r.energy},
          {"complementarity", r.complementarity},
          {"cone", r.cone},
          {"dissipation", r.dissipation},
          {"restitution", r.restitution}};
}

/// The contact certificates of rows and impacts.
Json contact_certificate_json(const Simulation& simulation) {
  const Model& model = simulation.scene().model();
  const ContactRecord& c = simulation.contact_record();
  const auto body = [&](int i) {
    return i < 0 ? std::string(kWorld) : model.bodies()[static_cast<std::size_t>(i)].name;
  };
  Json json = residuals_json(c.residuals);
  const bool any = c.residuals.worst() != 0.0;
  json["time"] = any ? Json(c.t) : Json();
  json["bodies"] = any ? Json::array({body(c.body_a), body(c.body_b)}) : Json();
  json["at_impact"] = c.at_impact;
  json["impacts_that_gain_energy"] = c.gains;
  return json;
}

/// How contacts were treated, and for how much of the time.
Json contact_method_json(const Simulation& simulation) {
  const RunSpec& run = simulation.scene().run();
  const ContactRecord& c = simulation.contact_record();
  const double duration = simulation.state().t - run.t0;
  return {{"method", name(run.contact)},
          {"time_stepped", c.time_stepped},
          {"share", duration > 0.0 ? c.time_stepped / duration : 0.0},
          {"spans", c.spans},
          {"from", c.spans > 0 ? Json(c.first_span) : Json()},
          {"residual", c.breach},
          {"penetration", c.penetration}};
}

Json certificate_json(const Simulation& simulation) {
  if (!simulation.scene().run().certificate) return nullptr;
  const Model& model = simulation.scene().model();
  const Certificate& c = simulation.worst_certificate().certificate;
  const auto body = [&](int i) { return i < 0 ? Json() : Json(model.bodies()[static_cast<std::size_t>(i)].name); };
  const auto joint = [&](int i) { return i < 0 ? Json() : Json(model.joints()[static_cast<std::size_t>(i)].name); };
  Json json{{"worst", c.worst()},
            {"time", simulation.worst_certificate().t},
            {"force_balance_relative", c.force_balance_relative},
            {"force_balance_newton", c.force_balance_newton},
            {"worst_body", body(c.worst_body)},
            {"joint_balance_relative", c.joint_balance_relative},
            {"joint_balance_effort", c.joint_balance_effort},
            {"worst_joint", joint(c.worst_joint)},
            {"power_balance_relative", c.power_balance_relative},
            {"power_balance_watt", c.power_balance_watt}};
  if (!simulation.scene().contacts().pairs.empty()) json["contact"] = contact_certificate_json(simulation);
  return json;
}

Json checks_json(Simulation& simulation) {
  const RunChecks checks = run_checks(simulation);
  Json list = Json::array();
  for (const RunCheck& check : checks.list) {
    const CheckFacts& limits = facts(check.kind);
    list.push_back({{"name", limits.name},
                    {"verdict", name(check.verdict)},
                    {"value", check.value},
                    {"warning_limit", limits.warning},
                    {"limit", limits.failed},
                    {"text", check.text}});
  }
  return {{"verdict", name(checks.verdict())}, {"list", std::move(list)}};
}

/// "energy lost [J]" -> "energy_lost"
std::string key_of(std::string_view label) {
  std::string key(label.substr(0, label.find(" [")));
  for (char& c : key)
    if (c == ' ') c = '_';
  return key;
}

Json json_of(const RecordedEvent& recorded) {
  const EventRecord& event = recorded.event;
  Json json{{"time", event.t}, {"kind", facts(event.kind).name}, {"name", recorded.name}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(facts(event.kind).count); ++i)
    json[key_of(facts(event.kind).values[i])] = event.values[i];
  return json;
}

/// The names of two bodies in contact.
Json names_of(int body_a, int body_b, const Model& model) {
  const auto name = [&](int i) {
    return i < 0 ? std::string(kWorld) : model.bodies()[static_cast<std::size_t>(i)].name;
  };
  return Json::array({name(body_a), name(body_b)});
}

Json json_of(const ContactSum& sum, const Model& model) {
  Json largest;
  if (sum.largest > 0.0)
    largest = {{"normal_force", sum.largest}, {"time", sum.t}, {"bodies", names_of(sum.body_a, sum.body_b, model)}};
  return {{"points", sum.points}, {"max_at_once", sum.max_points}, {"largest", std::move(largest)}};
}

Json json_of(const ImpactRecord& impact, const Model& model, bool certified) {
  return {{"time", impact.t},
          {"bodies", names_of(impact.body_a, impact.body_b, model)},
          {"point", Json(impact.point)},
          {"normal", Json(impact.normal)},
          {"normal_impulse", impact.normal_impulse},
          {"tangential_impulse", impact.tangential_impulse},
          {"restitution", impact.restitution},
          {"energy", impact.energy},
          {"approach_speed", impact.approach},
          {"slip_speed", impact.slip},
          {"slip_before", Json(impact.slip_before)},
          {"slip_after", Json(impact.slip_after)},
          {"penetration", impact.penetration},
          {"scale", impact.scale},
          {"gains_energy", impact.gains_energy},
          {"certificate", certified ? residuals_json(impact.certificate) : Json()}};
}

Json outcome_json(const Simulation& simulation, const RunReport& report) {
  const Model& model = simulation.scene().model();
  Json json{{"outcome", facts(report.outcome).name}, {"ok", report.ok()}, {"text", or_null(report.text)}};
  if (report.joint >= 0) json["joint"] = model.joints()[static_cast<std::size_t>(report.joint)].name;
  if (report.body >= 0) json["body"] = model.bodies()[static_cast<std::size_t>(report.body)].name;
  return json;
}

}  // namespace

SceneSource scene_source(std::string name, std::string_view bytes) {
  constexpr std::size_t kMaxText = 64 << 10;
  StateHash hash;
  hash.add(bytes);
  SceneSource source;
  source.name = std::move(name);
  source.bytes = static_cast<std::int64_t>(bytes.size());
  source.hash = hash.value();
  source.has_text = bytes.size() <= kMaxText && valid_utf8(bytes) == bytes;
  if (source.has_text) source.text = bytes;
  return source;
}

std::string compiler_name() {
#if defined(__clang__)
  return "clang++ " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#else
  return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#endif
}

std::string run_json(Simulation& simulation, const RunReport& report, const RunFacts& run) {
  const Scene& scene = simulation.scene();
  const MotionState& state = simulation.state();
  const Isa isa = active_isa();
  Json json{{"format", "pintle-run"}, {"format_version", 1}};
  json["pintle"] = {
      {"version", kVersion}, {"compiler", compiler_name()}, {"isa", name(isa)}, {"bit_family", bit_family(isa)}};
  json["scene"] = {{"name", or_null(run.scene)},
                   {"overrides", Json::array()},
                   {"hash", to_hex(simulation.scene_id())},
                   {"bodies", scene.model().bodies().size()},
                   {"joints", scene.model().joints().size()},
                   {"nq", scene.model().nq()},
                   {"nv", scene.model().nv()}};
  for (const std::string& text : run.overrides) json["scene"]["overrides"].push_back(text);
  json["scene"]["sources"] = Json::array();
  for (const SceneSource& source : run.sources) {
    json["scene"]["sources"].push_back({{"name", source.name},
                                        {"bytes", source.bytes},
                                        {"hash", to_hex(source.hash)},
                                        {"text", source.has_text ? Json(source.text) : Json()}});
  }
  json["units"] = {{"json", "si"}, {"tables", run.units}};
  json["seed"] = run.has_seed ? Json(run.seed) : Json();
  json["settings"] = json_of(scene.run());
  json["resumed_at"] = run.resumed_at;
  json.update(outcome_json(simulation, report));
  json["time"] = report.t;
  json["steps"] = report.steps;
  json["rejected"] = report.rejected;
  json["step_length"] = simulation.step_length();
  json["state_hash"] = to_hex(simulation.state_hash());
  json["final"] = {{"q", by_name(position_columns(scene.model()), state.q)},
                   {"v", by_name(velocity_columns(scene.model()), state.v)}};
  json["energy_balance"] = energy_balance_json(simulation);
  json["certificate"] = certificate_json(simulation);
  json["contacts"] = simulation.scene().contacts().pairs.empty() ? Json() : contact_method_json(simulation);
  json["checks"] = checks_json(simulation);
  json["events"] = Json::array();
  for (const RecordedEvent& event : run.events) json["events"].push_back(json_of(event));
  json["events_left_out"] = run.events_left_out;
  json["impacts"] = Json::array();
  for (const ImpactRecord& impact : run.impacts)
    json["impacts"].push_back(json_of(impact, scene.model(), scene.run().certificate));
  json["impacts_left_out"] = run.impacts_left_out;
  json["contact_forces"] = run.contacts == nullptr ? Json() : json_of(*run.contacts, scene.model());
  json["wall_time"] = run.wall_time;
  json["files"] = Json::array();
  for (const std::string& file : run.files) json["files"].push_back(file);
  return json.dump(2) + "\n";
}

}  // namespace pintle
