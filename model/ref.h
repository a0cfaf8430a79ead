// Ref<T>: shared ownership inside one thread.
//
// A simulated session lives in one thread, and a commit touches many small values: an atomic count
// (std::shared_ptr) would cost more than the work it guards. Values therefore never cross threads;
// what crosses (scenarios, reports) is plain data.
#pragma once

#include <cstddef>
#include <utility>

namespace rollover {

class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

 private:
  template <typename T>
  friend class Ref;
  mutable std::size_t references_ = 0;
};

template <typename T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}  // NOLINT: null is a Ref
  explicit Ref(T* object) : object_(object) { Take(); }
  Ref(const Ref& other) : object_(other.object_) { Take(); }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  ~Ref() { Drop(); }

  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

 private:
  void Take() const {
    if (object_ != nullptr) ++object_->references_;
  }
  void Drop() {
    if (object_ != nullptr && --object_->references_ == 0) delete object_;
  }

  T* object_ = nullptr;
};

}  // namespace rollover
