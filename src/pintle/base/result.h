// Result: the value of an operation on user input, or the reasons why there is none.
//
// For input readers and checks, not for kernels: unlike the helpers of isa.h, its functions carry no instruction set in
// their names.
#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include "pintle/base/diagnostic.h"

namespace pintle {

namespace detail {
// Returns the diagnostics; throws UsageError unless at least one (none) of them is an error.
Diagnostics checked_failure(Diagnostics diagnostics);
Diagnostics checked_success(Diagnostics diagnostics);
Diagnostics checked_failure(Diagnostic diagnostic);

[[noreturn, gnu::cold]] void throw_no_value(const Diagnostics& diagnostics);

// A value or nothing: the part of std::optional that is needed here, at a fraction of the cost of its header.
template <class T>
class Slot {
 public:
  Slot() : nothing_() {}
  Slot(T value) : value_(std::move(value)), full_(true) {}
  Slot(const Slot& other) : nothing_() { fill(other); }
  Slot(Slot&& other) noexcept(std::is_nothrow_move_constructible_v<T>) : nothing_() { fill(std::move(other)); }
  Slot& operator=(const Slot& other) {
    if (this != &other) *this = Slot(other);
    return *this;
  }
  Slot& operator=(Slot&& other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (this == &other) return *this;
    clear();
    fill(std::move(other));
    return *this;
  }
  ~Slot() { clear(); }

  bool has_value() const { return full_; }
  T& operator*() { return value_; }
  const T& operator*() const { return value_; }

 private:
  template <class Other>
  void fill(Other&& other) {
    if (!other.full_) return;
    ::new (static_cast<void*>(&value_)) T(std::forward<Other>(other).value_);
    full_ = true;
  }
  void clear() {
    if (full_) value_.~T();
    full_ = false;
  }

  union {
    char nothing_;
    T value_;
  };
  bool full_ = false;
};
}  // namespace detail

/// Either a value, perhaps with warnings and notes, or at least one error and no value.
///
///     Result<Model> model = compile(spec);
///     if (!model) return model.diagnostics();
///     use(*model);
template <class T>
class [[nodiscard]] Result {
  static_assert(std::is_object_v<T> && !std::is_same_v<T, Diagnostic> && !std::is_same_v<T, Diagnostics>,
                "the value of a Result is an object, and no diagnostic");

 public:
  /// Success.
  Result(T value) : value_(std::move(value)) {}

  /// Success with warnings or notes. Throws UsageError when one of them is an error.
  Result(T value, Diagnostics warnings)
      : value_(std::move(value)), diagnostics_(detail::checked_success(std::move(warnings))) {}

  /// Failure. Throws UsageError when none of the diagnostics is an error.
  Result(Diagnostics diagnostics) : diagnostics_(detail::checked_failure(std::move(diagnostics))) {}

  /// Failure for one reason. Throws UsageError when the diagnostic is not an error.
  Result(Diagnostic diagnostic) : diagnostics_(detail::checked_failure(std::move(diagnostic))) {}

  /// Whether there is a value.
  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  /// The value. Throws UsageError with the first error in its text when there is none; so do `*` and `->`.
  T& value() & {
    require_value();
    return *value_;
  }
  const T& value() const& {
    require_value();
    return *value_;
  }
  T&& value() && {
    require_value();
    return std::move(*value_);
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// All errors, warnings and notes, in the order in which they were found.
  const Diagnostics& diagnostics() const& { return diagnostics_; }
  Diagnostics diagnostics() && { return std::move(diagnostics_); }

 private:
  void require_value() const {
    if (!value_.has_value()) [[unlikely]] {
      detail::throw_no_value(diagnostics_);
    }
  }

  detail::Slot<T> value_;
  Diagnostics diagnostics_;
};

/// The outcome of an operation without a value: success, perhaps with warnings and notes, or at least one error.
template <>
class [[nodiscard]] Result<void> {
 public:
  /// Success.
  Result() = default;

  /// Failure. Throws UsageError when none of the diagnostics is an error.
  Result(Diagnostics diagnostics);

  /// Failure for one reason. Throws UsageError when the diagnostic is not an error.
  Result(Diagnostic diagnostic);

  /// Success with warnings or notes. Throws UsageError when one of them is an error.
  static Result success(Diagnostics warnings);

  /// Whether the operation succeeded.
  bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }

  /// Throws UsageError with the first error in its text when the operation failed.
  void value() const {
    if (!ok_) [[unlikely]] {
      detail::throw_no_value(diagnostics_);
    }
  }

  /// All errors, warnings and notes, in the order in which they were found.
  const Diagnostics& diagnostics() const& { return diagnostics_; }
  Diagnostics diagnostics() && { return std::move(diagnostics_); }

 private:
  bool ok_ = true;
  Diagnostics diagnostics_;
};

}  // namespace pintle
