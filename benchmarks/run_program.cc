#include "benchmarks/run_program.h"

#include "absl/strings/match.h"
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

bool JsonBalanced(absl::string_view text) {
  std::string open;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      open += c == '{' ? '}' : ']';
    } else if (c == '}' || c == ']') {
      if (open.empty() || open.back() != c) return false;
      open.pop_back();
      if (open.empty() && text.substr(i + 1) != "\n") return false;
    }
  }
  return open.empty() && !in_string && absl::StartsWith(text, "{");
}

}  // namespace runtime
