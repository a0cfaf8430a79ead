// SlidingVector: elements that arrive at the back and leave from the front, contiguous.
//
// A session's messages do that for as long as it lives. Beside std::deque its size and places are
// one subtraction away, and a copy is one block; the memory is at most twice what is held, and a
// page.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace rollover {

template <typename T>
class SlidingVector {
 public:
  SlidingVector() = default;
  SlidingVector(const SlidingVector& other) : elements_(other.begin(), other.end()) {}
  SlidingVector(SlidingVector&& other) noexcept
      : elements_(std::move(other.elements_)), front_(std::exchange(other.front_, 0)) {}
  ~SlidingVector() = default;
  SlidingVector& operator=(SlidingVector other) noexcept {
    elements_.swap(other.elements_);
    std::swap(front_, other.front_);
    return *this;
  }

  const T* begin() const { return elements_.data() + front_; }
  const T* end() const { return elements_.data() + elements_.size(); }
  std::size_t size() const { return elements_.size() - front_; }
  bool empty() const { return size() == 0; }
  const T& operator[](std::size_t i) const { return elements_[front_ + i]; }
  T& operator[](std::size_t i) { return elements_[front_ + i]; }

  void push_back(T element) { elements_.push_back(std::move(element)); }
  void resize(std::size_t size, const T& fill) { elements_.resize(front_ + size, fill); }

  // There must be so many.
  void DropFront(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) static_cast<void>(T(std::move(elements_[front_ + i])));
    front_ += count;
    // Moving the rest costs its size, and happens once per as many that left.
    if (front_ < kSlackMin || front_ < size()) return;
    elements_.erase(elements_.begin(), elements_.begin() + static_cast<std::ptrdiff_t>(front_));
    front_ = 0;
  }

 private:
  static constexpr std::size_t kSlackMin = 64;  // elements

  std::vector<T> elements_;
  std::size_t front_ = 0;  // elements before it are gone
};

}  // namespace rollover
