#include "tests/entry_walk.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <time.h>

#include "absl/strings/str_cat.h"
#include "runtime/sys/sys.h"
#include "runtime/time/candidates.h"
#include "tests/machine_context.h"
#include "tests/stepper.h"
#include "tests/trace.h"

namespace runtime {
namespace {

alignas(16) char alternate_stack[kWalkStackSize];

bool Contains(const char* stack, uintptr_t address) {
  return address - reinterpret_cast<uintptr_t>(stack) < kWalkStackSize;
}

uintptr_t WordAt(uintptr_t address) {
  return *reinterpret_cast<const uintptr_t*>(address);
}

class Walker {
 public:
  Walker(const EntryPoints& entries, const WalkOptions& options,
         const void* main_frame)
      : entries_(entries),
        options_(options),
        main_frame_(reinterpret_cast<uintptr_t>(main_frame)),
        stepper_(Addresses(entries, options.entry)) {}

  WalkResult Run();

  // Stop looks around at an instruction.
  void Stop(const ucontext_t& context);

  // Nest makes the reading that is walked through, when it is a nested one.
  void Nest();

 private:
  // Pair is what runtime_vdsoFrame says.
  struct Pair {
    bool there;
    uintptr_t pc;
    uintptr_t sp;
    bool operator==(const Pair& other) const {
      return there == other.there && pc == other.pc && sp == other.sp;
    }
  };

  static std::vector<uintptr_t> Addresses(const EntryPoints& entries,
                                          Entry entry);

  static std::vector<uintptr_t> AllAddresses(const EntryPoints& entries);

  size_t OwnClock() const {
    return static_cast<size_t>(options_.entry) -
           static_cast<size_t>(Entry::kOwnClockNs);
  }
  uintptr_t Function() const;
  runtime_M* Argument() const;
  bool Publishes() const;
  [[gnu::noinline]] void Read();
  void RunOnce();
  Pair Published() const;

  void LookAround(const Registers& now);
  void OnEntry(const Registers& now);
  void CheckFrame(const Registers& now);
  void CheckFramePointers(const Registers& now);
  void CheckBacktrace();
  void CheckPublished(const Registers& now);
  void CheckHandler();

  template <typename... Parts>
  void Fault(Parts... parts) {
    result_.faults.push_back(absl::StrCat(
        "at ", absl::Hex(offset_, absl::kZeroPad4), ": ", parts...));
  }

  const EntryPoints& entries_;
  const WalkOptions& options_;
  [[maybe_unused]] const uintptr_t main_frame_;  // not on arm
  Stepper stepper_;
  WalkResult result_;
  size_t run_ = 0;

  // Of the run.
  bool nested_ = false;   // Nest has been called
  bool reading_ = false;  // the entry point has been entered
  Registers at_entry_;
  uintptr_t return_address_ = 0;
  uintptr_t frame_address_ = 0;  // the caller's stack pointer before the call
  Trace trace_of_caller_;        // of Read's caller, behind Backtrace's frame
  Pair outside_ = {};            // what is published around this reading
  bool was_published_ = false;
  bool was_withdrawn_ = false;
  uintptr_t offset_ = 0;
};

Walker* walker;
bool looking_around;
sigjmp_buf after_crash;

void OnTrap(int, siginfo_t*, void* context) {
  looking_around = true;
  walker->Stop(*static_cast<const ucontext_t*>(context));
  looking_around = false;
}

// NestingRoute interrupts the first reading that it serves.
bool nest;
Route nested_route;
int NestingRoute(int32_t clockid, KernelTimespec* ts) {
  if (nest) {
    nest = false;
    raise(SIGUSR1);
  }
  return nested_route(clockid, ts);
}

// Addresses returns those of an entry point's instructions, and of its twin's
// that takes an M: each begins with the latter, and goes on into the other.
std::vector<uintptr_t> Walker::Addresses(const EntryPoints& entries,
                                         Entry entry) {
  if (entry >= Entry::kClockNs) return AllAddresses(entries);
  uintptr_t begin = reinterpret_cast<uintptr_t>(entries.nanotimeM);
  uintptr_t end = reinterpret_cast<uintptr_t>(entries.walltimeM);
  if (entry == Entry::kWalltime || entry == Entry::kWalltimeM) {
    begin = end;
    end = reinterpret_cast<uintptr_t>(entries.nowM);
  } else if (entry == Entry::kNow || entry == Entry::kNowM) {
    begin = reinterpret_cast<uintptr_t>(entries.nowM);
    end = UINTPTR_MAX;
  }
  std::vector<uintptr_t> addresses;
  for (const uintptr_t address : AllAddresses(entries)) {
    if (address >= begin && address < end) addresses.push_back(address);
  }
  return addresses;
}

std::vector<uintptr_t> Walker::AllAddresses(const EntryPoints& entries) {
  std::vector<uintptr_t> addresses = entries.frames.instructions;
  for (uintptr_t& address : addresses) address += entries.begin;
  return addresses;
}

uintptr_t Walker::Function() const {
  switch (options_.entry) {
    case Entry::kNanotime:
      return reinterpret_cast<uintptr_t>(entries_.nanotime);
    case Entry::kNanotimeM:
      return reinterpret_cast<uintptr_t>(entries_.nanotimeM);
    case Entry::kWalltime:
      return reinterpret_cast<uintptr_t>(entries_.walltime);
    case Entry::kWalltimeM:
      return reinterpret_cast<uintptr_t>(entries_.walltimeM);
    case Entry::kNow:
      return reinterpret_cast<uintptr_t>(entries_.now);
    case Entry::kNowM:
      return reinterpret_cast<uintptr_t>(entries_.nowM);
    case Entry::kClockNs:
      return reinterpret_cast<uintptr_t>(entries_.clockNs);
    case Entry::kClockNsM:
      return reinterpret_cast<uintptr_t>(entries_.clockNsM);
    default:
      return reinterpret_cast<uintptr_t>(entries_.ownClockNs[OwnClock()]);
  }
}

runtime_M* Walker::Argument() const {
  return options_.situation == Situation::kNoStack ? nullptr
                                                   : runtime_currentM();
}

// Publishes is false where NULL stands for M.
bool Walker::Publishes() const {
  const bool takes_m = options_.entry == Entry::kNanotimeM ||
                       options_.entry == Entry::kWalltimeM ||
                       options_.entry == Entry::kNowM ||
                       options_.entry == Entry::kClockNsM;
  return !takes_m || Argument() != nullptr;
}

// Read is the caller that all unwinders have to find.
void Walker::Read() {
  int64_t mono = 0;
  int64_t sec = 0;
  int64_t other = 0;
  int error = 1;
  looking_around = true;
  runtime_now();  // the M holds what the next one needs
  const int64_t mono_before = runtime_nanotime();
  const int64_t sec_before = runtime_walltime().sec;
  looking_around = false;
  stepper_.Start(run_, Function());
  switch (options_.entry) {
    case Entry::kNanotime:
      mono = entries_.nanotime();
      break;
    case Entry::kNanotimeM:
      mono = entries_.nanotimeM(Argument());
      break;
    case Entry::kWalltime:
      sec = entries_.walltime().sec;
      break;
    case Entry::kWalltimeM:
      sec = entries_.walltimeM(Argument()).sec;
      break;
    case Entry::kNow: {
      const runtime_Now now = entries_.now();
      mono = now.mono;
      sec = now.sec;
      break;
    }
    case Entry::kNowM: {
      const runtime_Now now = entries_.nowM(Argument());
      mono = now.mono;
      sec = now.sec;
      break;
    }
    case Entry::kClockNs:
      mono = entries_.clockNs(CLOCK_MONOTONIC, &error);
      break;
    case Entry::kClockNsM:
      mono = entries_.clockNsM(Argument(), CLOCK_MONOTONIC, &error);
      break;
    default:
      other = entries_.ownClockNs[OwnClock()](&error);
      break;
  }
  stepper_.Stop();
  looking_around = true;
  reading_ = false;
  if (stepper_.runs() == 1 && was_withdrawn_ != Publishes()) {
    Fault("published: ", was_published_, ", withdrawn: ", was_withdrawn_);
  }
  if (mono != 0 && (mono < mono_before || mono > runtime_nanotime())) {
    Fault("monotonic time is wrong: ", mono);
  }
  if (sec != 0 && (sec < sec_before || sec > runtime_walltime().sec)) {
    Fault("wall-clock time is wrong: ", sec);
  }
  if (mono == 0 && sec == 0 && other == 0) Fault("nothing was read");
  if (options_.entry >= Entry::kClockNs && error != 0) Fault("error ", error);
  looking_around = false;
}

Walker::Pair Walker::Published() const {
  Pair pair = {};
  pair.there = runtime_vdsoFrame(runtime_currentM(), &pair.pc, &pair.sp) != 0;
  return pair;
}

void Walker::OnEntry(const Registers& now) {
  reading_ = true;
  was_published_ = false;
  was_withdrawn_ = false;
  at_entry_ = now;
  const uintptr_t sp = now.at(kStackPointer);
#if defined(__x86_64__) || defined(__i386__)
  return_address_ = WordAt(sp);
  frame_address_ = sp + sizeof(uintptr_t);
#else
  return_address_ = now.at("ra");
  frame_address_ = sp;
#endif
}

// CheckFrame does what an unwinder does with the call frame information.
void Walker::CheckFrame(const Registers& now) {
  const FrameRow* const row = entries_.frames.At(offset_);
  if (row == nullptr || now.count(row->cfa_register) == 0) {
    return Fault("no call frame information");
  }
  const uintptr_t cfa =
      now.at(row->cfa_register) + static_cast<uintptr_t>(row->cfa_offset);
  if (cfa != frame_address_) {
    return Fault("call frame information: the frame is elsewhere");
  }
  const auto caller = [&](const std::string& name) {
    const auto saved = row->saved.find(name);
    return saved == row->saved.end()
               ? now.at(name)
               : WordAt(cfa + static_cast<uintptr_t>(saved->second));
  };
  for (const auto& [name, value] : at_entry_) {
    if (name == kStackPointer || name == "pc" || name == "ra") continue;
    if (caller(name) != value) {
      Fault("call frame information: wrong ", name);
    }
  }
  if (caller("ra") != return_address_) {
    Fault("call frame information: wrong return address");
  }
}

// CheckFramePointers follows them to main. Before and after the function has a
// frame, its caller is left out, as with any function.
void Walker::CheckFramePointers(const Registers& now) {
  uintptr_t fp = now.at(kFramePointer);
  if (fp == frame_address_ - 2 * sizeof(uintptr_t)) {
    if (WordAt(fp + sizeof(uintptr_t)) != return_address_) {
      return Fault("frame pointers: wrong return address");
    }
    fp = WordAt(fp);
  }
  if (fp != at_entry_.at(kFramePointer)) {
    return Fault("frame pointers: not the caller's");
  }
#ifndef __arm__  // where GCC's frame records differ from function to function
  // A signal's frame has none.
  if (options_.situation == Situation::kNested) return;
  constexpr size_t kMaxFrames = 64;
  for (size_t i = 0; i < kMaxFrames && fp != main_frame_; ++i) {
    if (fp == 0 || fp > main_frame_) break;
    fp = WordAt(fp);
  }
  if (fp != main_frame_) Fault("frame pointers do not lead to main");
#endif
}

// CheckBacktrace unwinds from the handler, through the signal's frame.
void Walker::CheckBacktrace() {
#ifndef __arm__        // EHABI tables hold at calls only
  static Trace trace;  // survives a jump
  // Not saving the signal mask: it would be a system call at each stop.
  if (sigsetjmp(after_crash, 0) != 0) return Fault("unwinding: crashes");
  trace = Backtrace();
  const uintptr_t pc = entries_.begin + offset_;
  size_t here = 0;
  while (here < trace.size() && trace[here] != pc) ++here;
  // pc, Read, and Read's caller at some place or other; then all is as it was.
  const size_t rest = trace_of_caller_.size() - 1;
  if (here + 2 + rest != trace.size()) {
    return Fault("unwinding: ", trace.size(), " frames, not ", here + 2 + rest);
  }
  if (trace[here + 1] != return_address_) {
    Fault("unwinding: does not find the caller");
  }
  for (size_t i = 1; i < rest; ++i) {
    if (trace[here + 2 + i] != trace_of_caller_[1 + i]) {
      return Fault("unwinding: does not find main");
    }
  }
#endif
}

void Walker::CheckPublished(const Registers& now) {
  const Pair own = {true, return_address_, frame_address_};
  const Pair seen = Published();
  const bool published = seen == own;
  if (!published && !(seen == outside_)) {
    Fault("published: neither this reading nor what was before");
  }
  if (!published && Contains(options_.vdso_stack, now.at(kStackPointer)) &&
      !Contains(options_.vdso_stack, at_entry_.at(kStackPointer))) {
    Fault("published: nothing, on the vDSO stack");
  }
  if (published && was_withdrawn_) Fault("published: twice");
  if (!published && was_published_) was_withdrawn_ = true;
  was_published_ = published;
  const uintptr_t pc = entries_.begin + offset_;
  if (published && runtime_inReading(runtime_currentM(), pc) != 1) {
    Fault("published: not in a reading");
  }
}

// CheckHandler reads the clocks, as the handler of a profiler does.
void Walker::CheckHandler() {
  const Pair before = Published();
  const int64_t mono = runtime_nanotime();
  const runtime_Now now = runtime_now();
  if (mono <= 0 || now.mono < mono || now.sec <= 0) {
    Fault("handler: wrong time");
  }
  if (!(Published() == before)) Fault("handler: has changed M");
}

void Walker::Stop(const ucontext_t& context) {
  stepper_.OnSignal(context);
  LookAround(RegistersOf(context));
  stepper_.OnReturn();
}

void Walker::LookAround(const Registers& now) {
  const uintptr_t pc = now.at("pc");
  if (pc == Function() && !reading_) OnEntry(now);
  offset_ = pc - entries_.begin;
  if (!reading_ || entries_.frames.At(offset_) == nullptr ||
      offset_ > entries_.frames.instructions.back()) {
    // In the route.
    if (reading_) CheckHandler();
    return;
  }
  result_.visited.insert(offset_);
  ++result_.stops;
  CheckFrame(now);
  CheckFramePointers(now);
  CheckBacktrace();
  // Or the handler would read on a stack that is taken.
  const size_t faults = result_.faults.size();
  CheckPublished(now);
  if (result_.faults.size() == faults) CheckHandler();
}

void Walker::Nest() {
  nested_ = true;
  outside_ = Published();
  trace_of_caller_ = Backtrace();
  Read();
}

void Walker::RunOnce() {
  nested_ = false;
  outside_ = {};
  if (options_.situation == Situation::kNoStack) {
    runtime_detach();
  } else {
    runtime_attach(options_.vdso_stack, kWalkStackSize);
  }
  if (options_.situation == Situation::kNested) {
    RouteList routes = options_.routes;
    nested_route = routes.routes[0];
    routes.routes[0] = NestingRoute;
    SetRoutes(routes, options_.pairing);
    nest = true;
    runtime_nanotime();
    if (!nested_) Fault("there was no nested reading");
    return;
  }
  SetRoutes(options_.routes, options_.pairing);
  trace_of_caller_ = Backtrace();
  Read();
}

WalkResult Walker::Run() {
  walker = this;
  const stack_t stack = {alternate_stack, 0, sizeof alternate_stack};
  stack_t old_stack;
  sigaltstack(&stack, &old_stack);
  struct sigaction old_actions[5];
  struct sigaction action = {};
  action.sa_flags = SA_SIGINFO | (options_.alternate_stack ? SA_ONSTACK : 0);
  action.sa_sigaction = OnTrap;
  sigaction(SIGTRAP, &action, &old_actions[0]);
  sigaction(SIGILL, &action, &old_actions[1]);
  action.sa_sigaction = [](int, siginfo_t*, void*) {
    siglongjmp(after_crash, 1);
  };
  action.sa_flags |= SA_NODEFER;
  sigaction(SIGSEGV, &action, &old_actions[3]);
  sigaction(SIGBUS, &action, &old_actions[4]);
  action.sa_sigaction = [](int, siginfo_t*, void*) { walker->Nest(); };
  sigaction(SIGUSR1, &action, &old_actions[2]);

  for (run_ = 0; run_ < stepper_.runs(); ++run_) RunOnce();

  runtime_detach();
  sigaction(SIGTRAP, &old_actions[0], nullptr);
  sigaction(SIGILL, &old_actions[1], nullptr);
  sigaction(SIGUSR1, &old_actions[2], nullptr);
  sigaction(SIGSEGV, &old_actions[3], nullptr);
  sigaction(SIGBUS, &old_actions[4], nullptr);
  sigaltstack(&old_stack, nullptr);
  return result_;
}

}  // namespace

int FailingRoute(int32_t clockid, KernelTimespec* ts) {
  return looking_around ? kTraps.routes[0](clockid, ts) : -EIO;
}

WalkResult Walk(const EntryPoints& entries, const WalkOptions& options,
                const void* main_frame) {
  return Walker(entries, options, main_frame).Run();
}

}  // namespace runtime
