#include "pintle/simulation/trajectory/trajectory.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pintle/base/usage_error.h"
#include "pintle/math/number_text.h"
#include "pintle/model/compiled/configuration.h"
#include "pintle/model/links/configuration_impl.h"
#include "pintle/model/spec/spec_place.h"
#include "pintle/simulation/recording/row_clock.h"

namespace pintle {
namespace {

// Maximum deviation from 1 of the length of a quaternion: tables are printed with few digits.
constexpr double kQuaternionSlack = 1e-4;
constexpr double kMaxSamples = 1e8;

class TrajectorySampler {
 public:
  TrajectorySampler(const Model& model, const TrajectoryTable& table, const SamplingOptions& options)
      : model_(model),
        table_(table),
        options_(options),
        nq_(static_cast<std::size_t>(model.nq())),
        nv_(static_cast<std::size_t>(model.nv())),
        spline_(table.content == TrajectoryContent::positions) {}

  Result<Trajectory> sample() {
    find_joints();
    check_sampling();
    const std::size_t min_rows = spline_ ? 2 : 1;
    if (table_.rows.size() < min_rows) {
      add("trajectory-rows", 0, "the table has " + std::to_string(table_.rows.size()) + " rows",
          spline_ ? "a spline needs two or more" : "there is nothing to sample", "add rows");
    }
    for (std::size_t i = 0; i < table_.rows.size(); ++i) check_row(i);
    if (problems_.empty() && spline_) check_ends();
    if (!problems_.empty()) return std::move(problems_);
    rest_.assign(options_.rest.begin(), options_.rest.end());
    if (options_.rest.empty()) {
      rest_.resize(nq_);
      neutral(model_, rest_);
    }
    if (spline_) {
      sample_splines();
    } else {
      copy_states();
    }
    if (!problems_.empty()) return std::move(problems_);
    return std::move(result_);
  }

 private:
  /// A joint of the table, by its indices in the table and in the model's independent coordinates.
  struct Named {
    const ModelJoint* joint;
    std::size_t q_column, v_column;
    std::size_t q, v, nq, nv;
  };

  /// A problem of a row, counted from 1, or of the whole table (0).
  void add(const char* code, std::size_t row, std::string what, std::string why, std::string fix) {
    Origin origin = table_.origin;
    if (row > 0 && table_.rows[row - 1].line > 0) {
      origin.line = table_.rows[row - 1].line;
      origin.column = 0;
    }
    problems_.push_back(make_error(code, std::move(origin), std::move(what), std::move(why), std::move(fix)));
  }

  void find_joints() {
    if (table_.joints.empty()) {
      add("trajectory-joints", 0, "the table names no joint", "nothing would move", "name the joints of its columns");
    }
    for (std::size_t i = 0; i < table_.joints.size(); ++i) find_joint(i);
    expected_ = spline_ ? q_columns_ : q_columns_ + 2 * v_columns_;
    joints_valid_ = problems_.empty();
  }

  void find_joint(std::size_t i) {
    const std::string& name = table_.joints[i];
    const auto same = std::find(table_.joints.begin(), table_.joints.begin() + static_cast<std::ptrdiff_t>(i), name);
    if (same != table_.joints.begin() + static_cast<std::ptrdiff_t>(i)) {
      add("trajectory-joint-repeated", 0, "the table names the joint '" + name + "' twice",
          "it is not clear which one applies", "remove one of them");
      return;
    }
    const auto known = model_.joints();
    const auto found = std::find_if(known.begin(), known.end(), [&](const ModelJoint& j) { return j.name == name; });
    if (found == known.end()) {
      Diagnostic problem = unknown_name("joint", name, "the table", names_of(known));
      problem.origin = table_.origin;
      problems_.push_back(std::move(problem));
      return;
    }
    const JointFacts& kind = facts(found->kind);
    if (found->link < 0) {
      add("trajectory-joint-fixed", 0, "the table names the fixed joint '" + name + "'", "it does not move",
          "remove its columns");
      return;
    }
    for (const ModelCoupling& coupling : model_.couplings()) {
      if (coupling.joint != static_cast<int>(found - known.begin())) continue;
      add("trajectory-joint-coupled", 0, "the table names the coupled joint '" + name + "'",
          "it follows its driver and has no coordinates of its own",
          "name '" + known[static_cast<std::size_t>(coupling.driver)].name + "' instead");
      return;
    }
    if (spline_ && kind.nq != kind.nv) {
      add("trajectory-joint-orientation", 0,
          "the table has only positions of the joint '" + name + "', which is " + std::string(kind.name),
          "splines do not interpolate orientations", "give states: positions, velocities and accelerations");
      return;
    }
    const CoordinateSource& q = model_.q_sources()[static_cast<std::size_t>(found->q)];
    const CoordinateSource& v = model_.v_sources()[static_cast<std::size_t>(found->v)];
    joints_.push_back({&*found, q_columns_, v_columns_, static_cast<std::size_t>(q.source),
                       static_cast<std::size_t>(v.source), static_cast<std::size_t>(kind.nq),
                       static_cast<std::size_t>(kind.nv)});
    q_columns_ += static_cast<std::size_t>(kind.nq);
    v_columns_ += static_cast<std::size_t>(kind.nv);
  }

  void check_sampling() {
    const bool rate = options_.rate != 0.0;
    if (!spline_ && rate) {
      add("trajectory-sampling", 0, "a table of states cannot be sampled at a rate",
          "nothing is known between its rows", "leave the rate out, or give positions only");
    } else if (rate && !(options_.rate > 0.0 && std::isfinite(options_.rate))) {
      add("trajectory-sampling", 0, "the sampling rate is " + number_text(options_.rate) + " per second",
          "it must be positive", "give a rate in samples per second");
    }
    if (spline_ && !rate && options_.per_row < 1) {
      add("trajectory-sampling", 0, "there are " + std::to_string(options_.per_row) + " samples per row",
          "there must be at least one", "give 1 or more");
    }
  }

  void check_row(std::size_t i) {
    const TrajectoryRow& row = table_.rows[i];
    const std::string name = "row " + std::to_string(i + 1);
    if (joints_valid_ && row.values.size() != expected_) {
      add("trajectory-count", i + 1, name + " has " + std::to_string(row.values.size()) + " values after its time",
          "its joints have " + std::to_string(expected_), "give each row the same columns");
    }
    if (!std::isfinite(row.time)) {
      add("trajectory-not-finite", i + 1, name + " has the time " + number_text(row.time), "it must be a finite number",
          "correct or remove the row");
    } else if (i > 0 && row.time <= table_.rows[i - 1].time) {
      add("trajectory-order", i + 1,
          name + " has the time " + number_text(row.time) + " s, the previous row " +
              number_text(table_.rows[i - 1].time) + " s",
          "times must increase", "sort the rows and remove repeated times");
    }
    const auto wrong =
        std::find_if_not(row.values.begin(), row.values.end(), [](double x) { return std::isfinite(x); });
    if (wrong != row.values.end()) {
      add("trajectory-not-finite", i + 1,
          name + " has the value " + number_text(*wrong) + " in column " +
              std::to_string(wrong - row.values.begin() + 1) + " after its time",
          "it must be a finite number", "correct or remove the row");
    } else if (joints_valid_ && row.values.size() == expected_) {
      for (const Named& named : joints_) check_quaternion(named, i);
    }
  }

  void check_quaternion(const Named& named, std::size_t i) {
    const int place = quaternion_place(named.joint->kind);
    if (place < 0) return;
    const double* const r = table_.rows[i].values.data() + named.q_column + place;
    const double length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    if (std::fabs(length - 1.0) <= kQuaternionSlack) return;
    add("trajectory-quaternion", i + 1,
        "row " + std::to_string(i + 1) + " has a quaternion of length " + number_text(length) + " for the joint '" +
            named.joint->name + "'",
        "the quaternion of an orientation has length 1", "check the order of the columns: x, y, z, w");
  }

  void check_ends() {
    if (table_.ends != SplineEnds::periodic) return;
    for (std::size_t k = 0; k < q_columns_; ++k) {
      const double first = table_.rows.front().values[k], last = table_.rows.back().values[k];
      if (first == last) continue;
      add("trajectory-periodic", table_.rows.size(),
          "column " + std::to_string(k + 1) + " ends with " + number_text(last) + " and begins with " +
              number_text(first),
          "the first and the last value of a periodic table are equal", "make the two values equal");
    }
  }

  void append_rest(double t) {
    result_.times.push_back(t);
    result_.q.insert(result_.q.end(), rest_.begin(), rest_.end());
    result_.v.resize(result_.v.size() + nv_);
    result_.vdot.resize(result_.v.size());
  }

  void copy_states() {
    for (const TrajectoryRow& row : table_.rows) {
      append_rest(row.time);
      double* const q = result_.q.data() + (result_.q.size() - nq_);
      double* const v = result_.v.data() + (result_.v.size() - nv_);
      double* const vdot = result_.vdot.data() + (result_.vdot.size() - nv_);
      for (const Named& named : joints_) {
        for (std::size_t k = 0; k < named.nq; ++k) q[named.q + k] = row.values[named.q_column + k];
        for (std::size_t k = 0; k < named.nv; ++k) {
          v[named.v + k] = row.values[q_columns_ + named.v_column + k];
          vdot[named.v + k] = row.values[q_columns_ + v_columns_ + named.v_column + k];
        }
      }
      normalize(model_, std::span<double>(q, nq_));
    }
  }

  std::vector<double> sample_times() {
    std::vector<double> times;
    const double t0 = table_.rows.front().time, t1 = table_.rows.back().time;
    const double count = options_.rate != 0.0 ? std::ceil((t1 - t0) * options_.rate * (1.0 - 1e-12))
                                              : static_cast<double>(table_.rows.size()) * options_.per_row;
    if (!(count <= kMaxSamples)) {
      add("trajectory-sampling", 0, "the table would have " + number_text(count) + " samples", "that is more than 1e8",
          "sample less often");
      return times;
    }
    if (options_.rate != 0.0) {
      TimeRows clock = time_rows(t0, t1, std::max(std::int64_t{1}, static_cast<std::int64_t>(count)));
      for (; !clock.done(); clock.advance()) times.push_back(clock.next_time());
      return times;
    }
    for (std::size_t i = 1; i < table_.rows.size(); ++i) {
      TimeRows clock = time_rows(table_.rows[i - 1].time, table_.rows[i].time, options_.per_row);
      for (; clock.next_time() < table_.rows[i].time; clock.advance()) times.push_back(clock.next_time());
    }
    times.push_back(t1);
    return times;
  }

  void sample_splines() {
    for (const double t : sample_times()) append_rest(t);
    std::vector<double> row_times, values;
    for (const TrajectoryRow& row : table_.rows) row_times.push_back(row.time);
    for (const Named& named : joints_) {
      for (std::size_t k = 0; k < named.nq; ++k) {
        values.clear();
        for (const TrajectoryRow& row : table_.rows) values.push_back(row.values[named.q_column + k]);
        follow(spline_pieces(row_times, values, table_.ends, 0.0, 0.0), named, k);
      }
    }
  }

  void follow(const std::vector<SplinePiece>& pieces, const Named& named, std::size_t k) {
    std::size_t piece = 0;
    bool finite = true;
    for (std::size_t i = 0; i < result_.times.size(); ++i) {
      const double t = result_.times[i];
      while (piece + 1 < pieces.size() && pieces[piece + 1].begin <= t) ++piece;
      const double s = t - pieces[piece].begin;
      const double* const c = pieces[piece].values;
      double& q = result_.q[i * nq_ + named.q + k];
      double& v = result_.v[i * nv_ + named.v + k];
      double& vdot = result_.vdot[i * nv_ + named.v + k];
      q = c[0] + s * (c[1] + s * (c[2] + s * c[3]));
      v = c[1] + s * (2.0 * c[2] + s * 3.0 * c[3]);
      vdot = 2.0 * c[2] + s * 6.0 * c[3];
      finite = finite && std::isfinite(q) && std::isfinite(v) && std::isfinite(vdot);
    }
    if (finite) return;
    add("trajectory-range", 0, "the curve of the joint '" + named.joint->name + "' overflows",
        "its slopes are too large for a double", "check the units of times and positions");
  }

  const Model& model_;
  const TrajectoryTable& table_;
  const SamplingOptions& options_;
  const std::size_t nq_, nv_;
  const bool spline_;
  std::vector<Named> joints_;
  std::size_t q_columns_ = 0, v_columns_ = 0, expected_ = 0;
  bool joints_valid_ = false;  // else the length of rows is not known
  std::vector<double> rest_;
  Trajectory result_;
  Diagnostics problems_;
};

}  // namespace

Result<Trajectory> sample_trajectory(const Model& model, const TrajectoryTable& table, const SamplingOptions& options) {
  if (!options.rest.empty()) {
    require_size("sample_trajectory", "options.rest", options.rest.size(), static_cast<std::size_t>(model.nq()));
  }
  return TrajectorySampler(model, table, options).sample();
}

}  // namespace pintle
