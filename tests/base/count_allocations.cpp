#include "base/count_allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> allocations = 0;
}  // namespace

std::size_t pintle::count_allocations() {
  return allocations.load();
}

// The ThreadSanitizer of clang brings its own operator new and suffers no other: there the count stays 0.
#if defined(__clang__)
#if __has_feature(thread_sanitizer)
#define PINTLE_OWN_OPERATOR_NEW 0
#endif
#endif
#ifndef PINTLE_OWN_OPERATOR_NEW
#define PINTLE_OWN_OPERATOR_NEW 1
#endif

#if PINTLE_OWN_OPERATOR_NEW
void* operator new(std::size_t size) {
  allocations.fetch_add(1);
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  allocations.fetch_add(1);
  return std::malloc(size == 0 ? 1 : size);
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
#endif
