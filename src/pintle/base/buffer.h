// Buffer: memory of fixed size, used by workspaces. It cannot grow, so a call that uses one cannot allocate, and its
// header costs users next to nothing.
#pragma once

#include <cstddef>

namespace pintle {

template <class T>
class Buffer {
 public:
  Buffer() = default;
  /// `size` elements, each T{}.
  explicit Buffer(std::size_t size) : data_(size == 0 ? nullptr : new T[size]{}), size_(size) {}
  Buffer(const Buffer& other) : Buffer(other.size_) {
    for (std::size_t i = 0; i < size_; ++i) data_[i] = other.data_[i];
  }
  Buffer(Buffer&& other) noexcept : data_(other.data_), size_(other.size_) {
    other.data_ = nullptr;
    other.size_ = 0;
  }
  Buffer& operator=(Buffer other) noexcept {
    T* const data = data_;
    const std::size_t size = size_;
    data_ = other.data_;
    size_ = other.size_;
    other.data_ = data;
    other.size_ = size;
    return *this;
  }
  ~Buffer() { delete[] data_; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  const T* begin() const { return data_; }
  T* end() { return data_ + size_; }
  const T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace pintle
