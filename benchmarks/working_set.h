#ifndef BENCHMARKS_WORKING_SET_H_
#define BENCHMARKS_WORKING_SET_H_

#include <stddef.h>
#include <stdint.h>

namespace runtime {

// WorkingSet is memory that a loop loads from, in an order that no prefetcher
// guesses: cache lines, tied into one cycle through all of them at random.
class WorkingSet {
 public:
  static constexpr size_t kLineSize = 64;

  struct alignas(kLineSize) Line {
    const Line* next;
  };

  // Chase follows the cycle: each load needs the one before it.
  class Chase {
   public:
    explicit Chase(WorkingSet* set) : set_(set), at_(set->at_) {}
    ~Chase() { set_->at_ = at_; }
    Chase(const Chase&) = delete;
    Chase& operator=(const Chase&) = delete;

    [[gnu::always_inline]] void Step() { at_ = at_->next; }

   private:
    WorkingSet* set_;
    const Line* at_;
  };

  // Loads makes loads of which none needs another: the CPU has as many of them
  // under way as it can.
  class Loads {
   public:
    static constexpr int kLoads = 8;  // in a step

    explicit Loads(WorkingSet* set)
        : set_(set), lines_(set->lines_), random_(set->random_) {
      count_ = static_cast<uint32_t>(set->size_ / kLineSize);
    }
    ~Loads() {
      set_->random_ = random_;
      set_->sum_ += sum_;
    }
    Loads(const Loads&) = delete;
    Loads& operator=(const Loads&) = delete;

    [[gnu::always_inline]] void Step() {
      for (int i = 0; i < kLoads; ++i) {
        // Constants: Numerical Recipes, 7.1, "An Even Quicker Generator".
        random_ = random_ * 1664525 + 1013904223;
        const uint64_t scaled = uint64_t{random_} * count_;
        sum_ += reinterpret_cast<uintptr_t>(lines_[scaled >> 32].next);
      }
    }

   private:
    WorkingSet* set_;
    const Line* lines_;
    uint32_t count_;
    uint32_t random_;
    uintptr_t sum_ = 0;
  };

  // kMinSize is a page, kMaxSize what Loads can number.
  static constexpr uint64_t kMinSize = uint64_t{1} << 12;
  static constexpr uint64_t kMaxSize = uint64_t{1} << 36;

  explicit WorkingSet(uint64_t size) : size_(size) {}
  ~WorkingSet();
  WorkingSet(const WorkingSet&) = delete;
  WorkingSet& operator=(const WorkingSet&) = delete;

  uint64_t size() const { return size_; }

  // Allocate maps the memory and ties the cycle, the first time that it is
  // called. It returns false when there is not so much memory.
  bool Allocate();

 private:
  uint64_t size_;  // a multiple of kLineSize
  Line* lines_ = nullptr;

  // Where the last batch has stopped: were each to begin at the start, caches
  // would hold what a short one reaches.
  const Line* at_ = nullptr;
  uint32_t random_ = 1;
  volatile uintptr_t sum_ = 0;
};

}  // namespace runtime

#endif  // BENCHMARKS_WORKING_SET_H_
