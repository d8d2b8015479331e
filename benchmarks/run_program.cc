#include "benchmarks/run_program.h"

#include "benchmarks/run.h"
#include "gtest/gtest.h"

namespace runtime {

Result RunProgram(const Program& program, std::vector<std::string> args,
                  bool quickly) {
  if (quickly) {
    args.insert(args.begin(),
                {"--benchmark_min_time=0.00001", "--benchmark_repetitions=2"});
  }
  args.insert(args.begin(), "benchmark");
  std::vector<char*> argv;
  argv.reserve(args.size());
  for (std::string& arg : args) argv.push_back(&arg[0]);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int exit_code =
      RunBenchmarks(program, static_cast<int>(argv.size()), argv.data());
  return {exit_code, testing::internal::GetCapturedStdout(),
          testing::internal::GetCapturedStderr()};
}

}  // namespace runtime
