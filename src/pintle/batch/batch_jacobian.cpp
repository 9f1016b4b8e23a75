#include "pintle/base/size.h"
#include "pintle/batch/batch_impl.h"
#include "pintle/batch/batch_kinematics.h"

namespace pintle {
namespace {

/// A place on the one model, or one on each. Lanes beyond the last model repeat it.
template <class T>
class PackPlaces {
 public:
  PackPlaces(std::span<const Place> places, Arena& room)
      : places_(places),
        lanes_(size(batch_lanes<T>())),
        packs_((places.size() + lanes_ - 1) / lanes_),
        X_LF_(room.take<T>(size(kPoseValues) * lanes_)) {
    fill(0);
  }

  /// On the models in a pack. Valid until the next call.
  PackPlace<T> of_pack(std::size_t pack) {
    if (packs_ > 1) fill(pack % packs_);
    return {places_[0].link, places_[0].X_LF, X_LF_};
  }

 private:
  void fill(std::size_t pack) {
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const Pose<>& X = places_[std::min(pack * lanes_ + lane, places_.size() - 1)].X_LF;
      T* to = X_LF_ + lane;
      const auto put = [&](double number) {
        *to = static_cast<T>(number);
        to += lanes_;
      };
      for (const double number : to_array(X.rotation)) put(number);
      for (const double number : to_array(X.translation)) put(number);
    }
  }

  std::span<const Place> places_;
  std::size_t lanes_, packs_;
  T* X_LF_;
};

/// Converts the six rows for all joints that find(pack, q, rows, i) computes for pack i to those for the independent
/// dofs. make_find(room) makes `find` on each thread.
template <class T, class Models, class MakeFind>
void find_rows(const Models& models, const BatchStates& states, const T* q, BatchWorkspace<T>& work, T* J,
               const MakeFind& make_find) {
  const Model& model = batch::first_of(models);
  const std::size_t nq = size(model.nq()), nv = size(model.nv());
  batch::on_threads(states, work, [&](std::byte* memory, std::size_t begin, std::size_t end, std::size_t part) {
    Arena room(memory);
    batch::LinksPack<T, Models> pack(models, work, part, room);
    const batch::PackedArray<const T> qs(states, q, nq, room);
    const batch::PackedArray<T> Js(states, J, 6 * nv, room);
    const batch::JointRows<T> rows(model, room);
    auto find = make_find(room);
    for (std::size_t turn = begin; turn < end; ++turn) {
      const std::size_t i = batch::pack_at(models, states, turn);
      pack.begin(i);
      find(pack, pack.joints.joint_q(qs.read(i)), rows.of_joints(Js.at(i)), i);
      rows.reduce(Js.at(i));
      Js.write(i);
    }
  });
}

/// `places`: one, or one of each model.
template <class T, class Models>
void find_jacobians(const Models& models, const BatchStates& states, std::span<const T> q,
                    std::span<const Place> places, Axes axes, BatchWorkspace<T>& work, std::span<T> J) {
  const Model& model = batch::first_of(models);
  require_size("batch_jacobian", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_jacobian", "J", J.size(), batch_size<T>(states, 6 * model.nv()));
  require(places[0].link < model.tree().count, "batch_jacobian", "place", "it belongs to another model");
  batch::require_states("batch_jacobian", models, states);
  batch::require_workspace("batch_jacobian", models, work);
  find_rows<T>(models, states, q.data(), work, J.data(), [&](Arena& room) {
    return [here = PackPlaces<T>(places, room), axes](auto& pack, const T* joint_q, T* rows, std::size_t i) mutable {
      pack_tree_kernels<T>().jacobian(pack.tree, joint_q, here.of_pack(i), axes, pack.memory, rows);
    };
  });
}

template <class T, class Models>
void find_columns(const Models& models, const BatchStates& states, std::span<const T> q, BatchWorkspace<T>& work,
                  std::span<T> J) {
  const Model& model = batch::first_of(models);
  require_size("batch_jacobian_columns", "q", q.size(), batch_size<T>(states, model.nq()));
  require_size("batch_jacobian_columns", "J", J.size(), batch_size<T>(states, 6 * model.nv()));
  batch::require_states("batch_jacobian_columns", models, states);
  batch::require_workspace("batch_jacobian_columns", models, work);
  find_rows<T>(models, states, q.data(), work, J.data(), [](Arena&) {
    return [](auto& pack, const T* joint_q, T* rows, std::size_t) {
      pack_tree_kernels<T>().jacobian_columns(pack.tree, joint_q, pack.memory, rows);
    };
  });
}

}  // namespace

template <class T>
void batch_jacobian(const Model& model, const BatchStates& states, std::span<const Same<T>> q, const Place& place,
                    Axes axes, BatchWorkspace<T>& work, std::span<Same<T>> J) {
  find_jacobians(model, states, q, {&place, 1}, axes, work, J);
}
template <class T>
void batch_jacobian(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                    std::span<const Place> places, Axes axes, BatchWorkspace<T>& work, std::span<Same<T>> J) {
  require_size("batch_jacobian", "places", places.size(), models.size());
  const int link = places[0].link;
  for (const Place& place : places)
    require(place.link == link, "batch_jacobian", "places", "they must all be on the same link");
  find_jacobians(models, states, q, places, axes, work, J);
}

template <class T>
void batch_jacobian_columns(const Model& model, const BatchStates& states, std::span<const Same<T>> q,
                            BatchWorkspace<T>& work, std::span<Same<T>> J) {
  find_columns(model, states, q, work, J);
}
template <class T>
void batch_jacobian_columns(const ModelBatch<Same<T>>& models, const BatchStates& states, std::span<const Same<T>> q,
                            BatchWorkspace<T>& work, std::span<Same<T>> J) {
  find_columns(models, states, q, work, J);
}

#define PINTLE_BATCH_JACOBIAN(T, Models, Places)                                                                     \
  template void batch_jacobian<T>(const Models&, const BatchStates&, std::span<const T>, Places, Axes,               \
                                  BatchWorkspace<T>&, std::span<T>);                                                 \
  template void batch_jacobian_columns<T>(const Models&, const BatchStates&, std::span<const T>, BatchWorkspace<T>&, \
                                          std::span<T>);

PINTLE_BATCH_JACOBIAN(double, Model, const Place&)
PINTLE_BATCH_JACOBIAN(float, Model, const Place&)
PINTLE_BATCH_JACOBIAN(double, ModelBatch<double>, std::span<const Place>)
PINTLE_BATCH_JACOBIAN(float, ModelBatch<float>, std::span<const Place>)

}  // namespace pintle
