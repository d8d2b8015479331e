#include "benchmarks/go_reporter.h"

#include <algorithm>
#include <ostream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace runtime {
namespace {

constexpr double kNanosPerSecond = 1e9;

// Measurement formats as Go's testing package does: four significant digits,
// the decimal points in one column.
std::string Measurement(double value, const std::string& unit) {
  struct Format {
    double from;
    int width;
    int digits;
  };
  constexpr Format kFormats[] = {
      {999.95, 10, 0},
      {99.995, 12, 1},
      {9.9995, 13, 2},
      {0.99995, 14, 3},
  };
  for (const Format& f : kFormats) {
    if (value >= f.from) {
      return absl::StrFormat("%*.*f %s", f.width, f.digits, value, unit);
    }
  }
  return absl::StrFormat("%15.4f %s", value, unit);
}

}  // namespace

bool GoReporter::ReportContext(const Context& /*context*/) {
  std::ostream& out = GetOutputStream();
  out << "goos: linux\ngoarch: " << options_.goarch << "\npkg: " << options_.pkg
      << "\n";
  if (!options_.cpu.empty()) out << "cpu: " << options_.cpu << "\n";
  return true;
}

void GoReporter::ReportRuns(const std::vector<Run>& report) {
  for (const Run& run : report) {
    if (run.error_occurred) {
      GetErrorStream() << run.benchmark_name() << ": " << run.error_message
                       << "\n";
    } else {
      Add(run);
    }
  }
}

// Aggregates count only where --benchmark_report_aggregates_only keeps the
// repetitions back; they come last.
void GoReporter::Add(const Run& run) {
  const bool aggregate = run.run_type == Run::RT_Aggregate;
  if (aggregate && run.aggregate_name != "min") return;
  const double ns_per_op =
      run.real_accumulated_time * kNanosPerSecond /
      static_cast<double>(std::max<int64_t>(run.iterations, 1));
  const Row row = {run.run_name.str(), run.iterations, ns_per_op};
  const auto [it, is_new] = rows_.emplace(run.family_index, row);
  if (!is_new && !aggregate && ns_per_op < it->second.ns_per_op) {
    it->second = row;
  }
}

std::string GoReporter::GoName(const Row& row) const {
  return absl::StrCat(
      absl::StartsWith(row.name, "Benchmark") ? "" : "Benchmark", row.name,
      options_.cpus == 1 ? "" : absl::StrCat("-", options_.cpus));
}

const GoReporter::Row* GoReporter::Find(const std::string& name) const {
  for (const auto& [index, row] : rows_) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// Columns are those that compare.
std::string GoReporter::Columns(const Row& row) const {
  for (const Scale& scale : options_.scales) {
    if (!absl::StartsWith(row.name, scale.rows)) continue;
    double subtrahend = 0;
    std::string columns;
    if (!scale.zero.empty()) {
      const Row* zero = Find(scale.zero);
      if (zero == nullptr || zero->name == row.name) return "";
      subtrahend = zero->ns_per_op;
      columns = "\t" + Measurement(row.ns_per_op - subtrahend, "added-ns");
    }
    const Row* baseline = Find(scale.baseline);
    if (baseline == nullptr || baseline->ns_per_op <= subtrahend) {
      return columns;
    }
    const double ratio =
        (row.ns_per_op - subtrahend) / (baseline->ns_per_op - subtrahend);
    return columns + "\t" + Measurement(ratio, scale.ratio_unit);
  }
  return "";
}

// ComplainOfScales says why columns are missing.
void GoReporter::ComplainOfScales() const {
  for (const Scale& scale : options_.scales) {
    const bool used = std::any_of(
        rows_.begin(), rows_.end(), [&scale](const auto& indexed_row) {
          return absl::StartsWith(indexed_row.second.name, scale.rows);
        });
    if (!used) continue;
    const bool has_zero = scale.zero.empty() || Find(scale.zero) != nullptr;
    const std::string& missing = has_zero ? scale.baseline : scale.zero;
    const Row* row = Find(missing);
    if (row == nullptr) {
      GetErrorStream() << "No ratios: " << missing << " was not in this run.\n";
    } else if (!scale.zero.empty() &&
               row->ns_per_op <= Find(scale.zero)->ns_per_op) {
      GetErrorStream() << "No ratios: " << missing << " was as fast as "
                       << scale.zero << ".\n";
    }
  }
}

void GoReporter::Finalize() {
  size_t width = 0;
  for (const auto& [index, row] : rows_) {
    width = std::max(width, GoName(row).size());
  }
  for (const auto& [index, row] : rows_) {
    GetOutputStream() << absl::StrFormat("%-*s\t%8d\t", static_cast<int>(width),
                                         GoName(row), row.iterations)
                      << Measurement(row.ns_per_op, "ns/op") << Columns(row)
                      << "\n";
  }
  ComplainOfScales();
}

}  // namespace runtime
