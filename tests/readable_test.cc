// Which memory can be read, found out without a fault.

#include "runtime/sys/readable.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace runtime {
namespace {

// Three pages, of which the test may close one.
class ReadableTest : public testing::Test {
 protected:
  ReadableTest()
      : page_(static_cast<uintptr_t>(sysconf(_SC_PAGESIZE))),
        pages_(mmap(nullptr, 3 * page_, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
                    -1, 0)),
        start_(reinterpret_cast<uintptr_t>(pages_)) {}
  ~ReadableTest() override { munmap(pages_, 3 * page_); }

  void Close(int page) {
    ASSERT_EQ(
        mprotect(static_cast<char*>(pages_) + page * page_, page_, PROT_NONE),
        0);
  }

  // Readable asks for [from, to) within the pages.
  bool Readable(uintptr_t from, uintptr_t to) const {
    return IsReadable(start_ + from, start_ + to);
  }

  const uintptr_t page_;
  void* const pages_;
  const uintptr_t start_;
};

TEST_F(ReadableTest, MappedMemory) {
  EXPECT_TRUE(Readable(0, 3 * page_));
  EXPECT_TRUE(Readable(1, 2));
  EXPECT_TRUE(Readable(page_ - 1, page_ + 1));
}

TEST_F(ReadableTest, NothingAndBackwards) {
  EXPECT_FALSE(Readable(0, 0));
  EXPECT_FALSE(Readable(page_, 0));
}

TEST_F(ReadableTest, AHoleAnywhereInTheRange) {
  Close(1);
  EXPECT_TRUE(Readable(0, page_));
  EXPECT_TRUE(Readable(2 * page_, 3 * page_));
  EXPECT_FALSE(Readable(0, page_ + 1));
  EXPECT_FALSE(Readable(0x800, 2 * page_ + 0x700));
  EXPECT_FALSE(Readable(2 * page_ - 1, 3 * page_));
}

TEST_F(ReadableTest, AHoleAtTheStart) {
  Close(0);
  EXPECT_FALSE(Readable(0xf00, page_ + 0xe00));
  EXPECT_TRUE(Readable(page_, 3 * page_));
}

TEST_F(ReadableTest, AddressesThatNothingIsMappedAt) {
  EXPECT_FALSE(IsReadable(0, 8));
  EXPECT_FALSE(IsReadable(UINTPTR_MAX - 4096, UINTPTR_MAX));
}

}  // namespace
}  // namespace runtime
