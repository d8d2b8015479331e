// The component in a shared library that the program opens with dlopen.
// Argument: the library.

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <time.h>

#include <future>
#include <iostream>
#include <thread>

#include "gtest/gtest.h"
#include "runtime/time/time.h"
#include "tests/dlopen_library.h"

namespace runtime {
namespace {

const char* library_path;

int64_t Monotonic() {
  timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return int64_t{ts.tv_sec} * 1000000000 + ts.tv_nsec;
}

// Library is the library, open for as long as this lives.
class Library {
 public:
  Library() : handle_(dlopen(library_path, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) ADD_FAILURE() << dlerror();
  }
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  void* handle() const { return handle_; }

  // Find returns the library's function of this name; like gives it its type.
  template <typename Function>
  Function* Find(const char* name, Function* like) const {
    static_cast<void>(like);
    auto* const function = reinterpret_cast<Function*>(dlsym(handle_, name));
    if (function == nullptr) ADD_FAILURE() << dlerror();
    return function;
  }

 private:
  void* handle_;
};

// The type is taken from the header; nothing of the component is linked to the
// program itself.
#define FIND(library, function) \
  (library).Find(#function, static_cast<decltype(&(function))>(nullptr))

void ExpectReads(const Library& library) {
  const auto nanotime = FIND(library, runtime_nanotime);
  const int64_t before = Monotonic();
  const int64_t reading = nanotime();
  const int64_t after = Monotonic();
  EXPECT_LE(before, reading);
  EXPECT_LE(reading, after);
}

// UseLibrary does in this thread all that an embedder's thread does.
void UseLibrary(const Library& library) {
  ExpectReads(library);
  const bool vdso = getauxval(AT_SYSINFO_EHDR) != 0;
  EXPECT_EQ(FIND(library, runtime_timeInit)(nullptr), vdso ? 1 : 0);
  ExpectReads(library);

  const auto current = FIND(library, runtime_currentM);
  EXPECT_EQ(current()->vdsoStackHi, 0u);
  alignas(16) char stack[RUNTIME_VDSO_STACK_MIN];
  ASSERT_EQ(FIND(library, runtime_attach)(stack, sizeof stack), 0);
  EXPECT_NE(current()->vdsoStackHi, 0u);
  ExpectReads(library);
  FIND(library, runtime_detach)();
  EXPECT_EQ(current()->vdsoStackHi, 0u);
  ASSERT_EQ(FIND(library, runtime_attachAlloc)(0), 0);
  ExpectReads(library);
  FIND(library, runtime_detachFree)();
  ExpectReads(library);
}

void OpenAndUse() {
  const Library library;
  ASSERT_NE(library.handle(), nullptr);
  UseLibrary(library);
}

bool IsLoaded() {
  void* const handle = dlopen(library_path, RTLD_NOW | RTLD_NOLOAD);
  if (handle != nullptr) dlclose(handle);
  return handle != nullptr;
}

TEST(DlopenTest, ReadsInAConstructorOfTheLibrary) {
  const int64_t before = Monotonic();
  const Library library;
  const int64_t after = Monotonic();
  ASSERT_NE(library.handle(), nullptr);
  const int64_t load_time = FIND(library, dlopen_library_load_time)();
  EXPECT_LE(before, load_time);
  EXPECT_LE(load_time, after);
}

TEST(DlopenTest, OpensInAThreadAgainAndAgain) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_FALSE(IsLoaded());
    std::thread(OpenAndUse).join();
  }
}

TEST(DlopenTest, OpensInTwoThreadsAtOnce) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP()
      << "ThreadSanitizer takes what one thread's dlclose has unmapped "
         "and another's dlopen mapped again for the same memory";
#endif
  for (int i = 0; i < 2; ++i) {
    std::promise<void> start;
    const std::shared_future<void> started = start.get_future().share();
    const auto run = [started] {
      started.wait();
      for (int j = 0; j < 10; ++j) OpenAndUse();
    };
    std::thread one(run), other(run);
    start.set_value();
    one.join();
    other.join();
    EXPECT_FALSE(IsLoaded());
  }
}

// The word for the thread's M has to be found in every thread that exists.
TEST(DlopenTest, ServesAThreadThatIsOlder) {
  std::promise<const Library*> opened;
  std::thread older([&opened] { UseLibrary(*opened.get_future().get()); });
  const Library library;
  opened.set_value(&library);
  older.join();
}

TEST(DlopenTest, NeedsNoTextRelocations) {
  const Library library;
  link_map* map = nullptr;
  ASSERT_EQ(dlinfo(library.handle(), RTLD_DI_LINKMAP, &map), 0);
  uint64_t flags = 0;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    EXPECT_NE(entry->d_tag, DT_TEXTREL);
    if (entry->d_tag == DT_FLAGS) flags = entry->d_un.d_val;
  }
  EXPECT_EQ(flags & DF_TEXTREL, 0u);
#ifndef __aarch64__  // GNU ld leaves it out there
  EXPECT_NE(flags & DF_STATIC_TLS, 0u) << "as the limits in README.md say";
#endif
}

}  // namespace
}  // namespace runtime

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) {
    std::cerr << "usage: dlopen_test LIBRARY\n";
    return 2;
  }
  runtime::library_path = argv[1];
  return RUN_ALL_TESTS();
}
