// Compiled once per instruction set.
#include "pintle/batch/model_pack_kernels.h"

#include "pintle/batch/link_lanes.h"
#include "pintle/dynamics/lanes/pack_view.h"
#include "pintle/dynamics/plan/planned_forward_impl.h"
#include "pintle/dynamics/plan/planned_inverse_impl.h"
#include "pintle/dynamics/plan/planned_mass_inverse_impl.h"
#include "pintle/math/elementary_impl.h"

namespace pintle::inline PINTLE_ISA {
namespace {

// ---- plans side by side

/// Parameters of the models of a pack, for the planned kernels.
template <class T>
struct PlanConstants {
  PlanLink<T>* links;
  PlanAngle<T>* angles;
  LinkOf<T>* general;
  T* armature;
  Vec3<T>* gravity;
};

template <class T>
PlanConstants<T> take_constants(const PlanView<base_t<T>>& plan, Arena& memory) {
  return {memory.take<PlanLink<T>>(plan.count), memory.take<PlanAngle<T>>(plan.angle_count),
          memory.take<LinkOf<T>>(plan.general_count), memory.take<T>(plan.nv), memory.take<Vec3<T>>(1)};
}

template <class T>
std::size_t constant_bytes(const PlanView<base_t<T>>& plan) {
  Arena counter(nullptr);
  take_constants<T>(plan, counter);
  return counter.used();
}

/// The plan of all lanes.
template <class T>
PlanView<T> plan_of_lanes(const PlanView<base_t<T>>& plan, const std::byte* constants) {
  Arena cutter(const_cast<std::byte*>(constants));
  const PlanConstants<T> at = take_constants<T>(plan, cutter);
  return {.runs = plan.runs,
          .run_count = plan.run_count,
          .links = at.links,
          .angles = at.angles,
          .general = at.general,
          .count = plan.count,
          .angle_count = plan.angle_count,
          .general_count = plan.general_count,
          .sums = plan.sums,
          .gaps = plan.gaps,
          .gap_count = plan.gap_count,
          .lane_groups = {},
          .chain = {},
          .nv = plan.nv,
          .armature = at.armature,
          .gravity = *at.gravity};
}

// ---- from lane to lane

/// Calls f(a, b) for the scalars of two structs, or of a part of them, that hold nothing else.
template <template <class> class Struct, class A, class B, class F>
void each_parameter(Struct<A>& a, const Struct<B>& b, const F& f) {
  constexpr std::size_t count = sizeof(Struct<A>) / sizeof(A);
  static_assert(count * sizeof(A) == sizeof(Struct<A>) && count * sizeof(B) == sizeof(Struct<B>));
  A* const to = reinterpret_cast<A*>(&a);
  const B* const from = reinterpret_cast<const B*>(&b);
  for (std::size_t k = 0; k < count; ++k) f(to[k], from[k]);
}

template <class A, class B, class F>
void each_parameter_of_link(LinkOf<A>& a, const LinkOf<B>& b, const F& f) {
  f(a.pitch, b.pitch);
  each_parameter(a.X_PJ, b.X_PJ, f);
  each_parameter(a.axis_rotation, b.axis_rotation, f);
  each_parameter(a.inertia, b.inertia, f);
}

template <class T, class C, class F>
void each_parameter_of_plan(const PlanConstants<T>& to, const PlanView<C>& from, const F& f) {
  for (int i = 0; i < from.count; ++i)
    each_parameter(static_cast<PlanParameters<T>&>(to.links[i]), static_cast<const PlanParameters<C>&>(from.links[i]),
                   f);
  for (int i = 0; i < from.angle_count; ++i) f(to.angles[i].offset, from.angles[i].offset);
  for (int i = 0; i < from.general_count; ++i) each_parameter_of_link(to.general[i], from.general[i], f);
  for (int k = 0; k < from.nv; ++k) f(to.armature[k], from.armature[k]);
  each_parameter(*to.gravity, from.gravity, f);
}

/// The position of a link in the tree is the same in all lanes.
template <class A, class B>
void copy_place(const LinkOf<B>& from, LinkOf<A>& to) {
  to.parent = from.parent;
  to.kind = from.kind;
  to.q = from.q;
  to.v = from.v;
  to.nv = from.nv;
}

/// Stores a value into a lane.
template <class T>
auto into_lane(int lane) {
  return [lane](T& to, auto from) { to.set(lane, static_cast<base_t<T>>(from)); };
}

template <class T>
void put(const PlanView<base_t<T>>& plan, int lane, std::byte* constants) {
  Arena cutter(constants);
  const PlanConstants<T> to = take_constants<T>(plan, cutter);
  for (int i = 0; i < plan.count; ++i) static_cast<PlanTopology&>(to.links[i]) = plan.links[i];
  for (int i = 0; i < plan.angle_count; ++i) to.angles[i].q = plan.angles[i].q;
  for (int i = 0; i < plan.general_count; ++i) copy_place(plan.general[i], to.general[i]);
  each_parameter_of_plan(to, plan, into_lane<T>(lane));
}

template <class T>
void copy(const PlanView<base_t<T>>& plan, const std::byte* from, int from_lane, int lane, std::byte* constants) {
  Arena cutter(constants);
  each_parameter_of_plan(take_constants<T>(plan, cutter), plan_of_lanes<T>(plan, from),
                         [=](T& to, const T& value) { to.set(lane, value[from_lane]); });
}

// ---- the planned kernels

template <class T>
void inverse(const PlanView<base_t<T>>& plan, const std::byte* constants, const base_t<T>* q, const base_t<T>* v,
             const base_t<T>* vdot, std::byte* memory, base_t<T>* tau) {
  planned_inverse_dynamics<T>(plan_of_lanes<T>(plan, constants), packs<T>(q), packs<T>(v), packs<T>(vdot),
                              planned_memory<T>(plan, memory), packs<T>(tau));
}

template <class T>
bool forward(const PlanView<base_t<T>>& plan, const std::byte* constants, const base_t<T>* q, const base_t<T>* v,
             const base_t<T>* tau, std::byte* memory, base_t<T>* vdot) {
  return planned_forward_dynamics<T>(plan_of_lanes<T>(plan, constants), packs<T>(q), packs<T>(v), packs<T>(tau),
                                     planned_memory<T>(plan, memory), packs<T>(vdot));
}

template <class T>
void mass(const PlanView<base_t<T>>& plan, const std::byte* constants, const base_t<T>* q, std::byte* memory,
          base_t<T>* M) {
  planned_mass_matrix<T>(plan_of_lanes<T>(plan, constants), packs<T>(q), planned_memory<T>(plan, memory), packs<T>(M));
}

template <class T>
bool mass_inverse(const PlanView<base_t<T>>& plan, const std::byte* constants, const base_t<T>* q, std::byte* memory,
                  base_t<T>* found) {
  return planned_mass_matrix_inverse<T>(plan_of_lanes<T>(plan, constants), packs<T>(q),
                                        inverse_memory<T>(plan, memory, packs<T>(found)), packs<T>(found));
}

// ---- links side by side

template <class T>
std::size_t link_bytes(const LinkTree& tree) {
  Arena counter(nullptr);
  take_link_lanes<T>(tree, counter);
  return counter.used();
}

template <class T>
void put_links(const LinkTree& tree, int lane, std::byte* links) {
  Arena cutter(links);
  const LinkLanes<T> to = take_link_lanes<T>(tree, cutter);
  const auto put_value = into_lane<T>(lane);
  for (int i = 0; i < tree.count; ++i) {
    copy_place(tree.links[i], to.links[i]);
    each_parameter_of_link(to.links[i], tree.links[i], put_value);
  }
  for (int k = 0; k < tree.nv; ++k) put_value(to.armature[k], tree.armature[k]);
  each_parameter(*to.gravity, tree.gravity, put_value);
}

template <class T>
constexpr ModelPackKernels<base_t<T>> kKernelsOf = {.constant_bytes = constant_bytes<T>,
                                                    .put = put<T>,
                                                    .copy = copy<T>,
                                                    .inverse_dynamics = inverse<T>,
                                                    .forward_dynamics = forward<T>,
                                                    .mass_matrix = mass<T>,
                                                    .mass_matrix_inverse = mass_inverse<T>,
                                                    .link_bytes = link_bytes<T>,
                                                    .put_links = put_links<T>};

constexpr ModelPackKernelTable kKernels = {kKernelsOf<NativePack<double>>, kKernelsOf<NativePack<float>>};

}  // namespace

const ModelPackKernelTable& model_pack_kernel_table();
const ModelPackKernelTable& model_pack_kernel_table() {
  return kKernels;
}

}  // namespace pintle::inline PINTLE_ISA
