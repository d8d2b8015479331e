// Our own readings, the raw call and glibc's, as a peer: see protocol.py.

#include <stddef.h>

#include <chrono>  // NOLINT(build/c++11)
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include "benchmarks/clock_readings.h"
#include "benchmarks/raw.h"

namespace runtime {
namespace {

constexpr size_t kWarmUp = 100000;

using Batch = std::function<void(size_t n)>;

template <typename Reading>
Batch Repeat(Reading reading) {
  return [reading](size_t n) {
    for (Reading mine = reading; n != 0; --n) mine();
  };
}

std::map<std::string, Batch> Rows() {
  std::map<std::string, Batch> rows = {
      {"nanotime/nanotime", Repeat(ReadNanotime{})},
      {"nanotime/walltime", Repeat(ReadWalltime{})},
      {"nanotime/now", Repeat(ReadNow{})},
      {"glibc/clock_gettime", Repeat(ReadLibc{})},
  };
  if (const Route vdso = RawVdso()) {
    rows["raw/vDSO"] = Repeat(ReadRaw{vdso});
  } else {
    rows["raw/syscall"] = Repeat(ReadRaw{RawTrap()});
  }
  return rows;
}

double NanosEach(const Batch& batch, size_t n) {
  using Clock = std::chrono::steady_clock;
  batch(n / 8);  // what ran meanwhile has taken the caches
  const Clock::time_point start = Clock::now();
  batch(n);
  const std::chrono::duration<double, std::nano> taken = Clock::now() - start;
  return taken.count() / static_cast<double>(n);
}

int Serve() {
  const std::map<std::string, Batch> rows = Rows();
  std::string names;
  for (const auto& [name, batch] : rows) {
    batch(kWarmUp);
    names += " " + name;
  }
  std::cout << "ready" << names << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string name;
    size_t n = 0;
    if (!(words >> name >> n) || n == 0 || rows.count(name) == 0) {
      std::cerr << "bad request: " << line << "\n";
      return 1;
    }
    std::cout << NanosEach(rows.at(name), n) << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace runtime

int main() { return runtime::Serve(); }
