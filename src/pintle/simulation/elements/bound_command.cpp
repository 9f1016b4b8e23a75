#include "pintle/simulation/elements/bound_command.h"

#include <utility>

#include "pintle/expression/expression_impl.h"

namespace pintle {
namespace {

constexpr std::size_t kOwn = Command::kOwn;
constexpr int kSpeed = 2;  // among t, q, qd, v

}  // namespace

void BoundCommand::read(const ForceInput& in, double q, double qd) {
  values_[0] = in.t;
  values_[1] = q;
  values_[2] = values_[3] = qd;
  others_.read(in.t, in.q, in.v, in.kinematics, in.event_counts, {values_.data() + kOwn, others_.size()});
}

double BoundCommand::value(const ForceInput& in, double q, double qd) {
  if (!command_.by_expression()) return drive_value(command_.drive(), in.t);
  read(in, q, qd);
  return evaluate(command_.expression(), {values_.data(), values_.size()});
}

DriveValue BoundCommand::value_and_rate(const ForceInput& in, double q, double qd) {
  if (!command_.by_expression()) return evaluate(command_.drive(), in.t);
  using Number = Dual<double, 1>;
  read(in, q, qd);
  for (std::size_t i = 0; i < values_.size(); ++i) with_rates_[i] = Number(values_[i]);
  with_rates_[0].derivative[0] = 1.0;
  with_rates_[1].derivative[0] = qd;
  for (std::size_t i = 0; i < others_.size(); ++i) with_rates_[kOwn + i].derivative[0] = others_.rate(i, in.v);
  const Number result = evaluate_expression<Number>(command_.expression(), {with_rates_.data(), with_rates_.size()});
  return {result.value, result.derivative[0], __builtin_nan("")};
}

bool BoundCommand::has_rate() const {
  if (!command_.by_expression()) return true;
  const Expression& formula = command_.expression();
  bool known = !formula.uses(kSpeed) && !formula.uses(kSpeed + 1);
  for (std::size_t i = 0; i < others_.size(); ++i) known = known && others_.has_rate(i);
  return known;
}

Result<BoundCommand> bind(const Command& command, const Model& model, const FormulaNames& known) {
  Result<StateValues> others = state_values(model, known, command.others());
  if (!others) return others.diagnostics();
  BoundCommand bound;
  bound.command_ = command;
  bound.others_ = std::move(others).value();
  bound.values_ = Buffer<double>(kOwn + bound.others_.size());
  bound.with_rates_ = Buffer<Dual<double, 1>>(bound.values_.size());
  return bound;
}

}  // namespace pintle
