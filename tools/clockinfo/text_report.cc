#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "tools/clockinfo/advice.h"
#include "tools/clockinfo/report.h"

namespace runtime {
namespace {

void Line(std::string* out, const char* what, const std::string& value) {
  absl::StrAppendFormat(out, "%-22s %s\n", what, value);
}

std::string OrNone(const std::string& text) {
  return text.empty() ? "none" : text;
}

std::string Duration(int64_t ns) {
  return absl::FormatDuration(absl::Nanoseconds(ns));
}

std::string Synchronisation(const Facts& facts) {
  const runtime_WalltimeBounds& bounds = facts.bounds;
  if (facts.bounds_error != 0) {
    return absl::StrFormat("unknown: adjtimex fails with errno %d",
                           -facts.bounds_error);
  }
  if (bounds.synchronized == 0) return "not synchronised";
  return absl::StrFormat(
      "synchronised; at most %s off, probably %s; TAI - UTC %s",
      Duration(bounds.maxErrorNs), Duration(bounds.estErrorNs),
      bounds.taiOffset == 0 ? "unknown" : absl::StrCat(bounds.taiOffset, " s"));
}

void AppendMachine(const Facts& facts, std::string* out) {
  Line(out, "kernel", facts.kernel_release);
  Line(out, "hypervisor", OrNone(facts.hypervisor));
  Line(out, "clocksource",
       absl::StrCat(OrNone(facts.clocksource), " (available: ",
                    absl::StrJoin(facts.available_clocksources, ", "), ")"));
  Line(out, "wall clock", Synchronisation(facts));
  Line(out, "time namespace",
       facts.timens_offsets.empty() ? "not supported"
       : facts.in_time_namespace    ? facts.timens_offsets
                                    : "no offsets");
}

void AppendRoutes(const Facts& facts, std::string* out) {
  const runtime_TimeInfo& info = facts.info;
  Line(out, "vDSO", VdsoName(facts));
  if (info.load_start != 0) {
    Line(out, "  at",
         absl::StrFormat("%#x-%#x, symbols by %s", info.load_start,
                         info.load_end, HashTableName(info.hash_table)));
  }
  for (int i = 0; i < info.route_count; ++i) {
    const runtime_RouteInfo& route = info.routes[i];
    Line(out, absl::StrCat("  ", KindName(route.kind)).c_str(),
         absl::StrCat(
             route.symbol,
             route.version != nullptr ? absl::StrCat("@", route.version) : "",
             ": ", StateName(route.state), ", ",
             VerificationName(route.verification),
             route.failures > 0 ? absl::StrCat(", failures ", route.failures)
                                : ""));
  }
  Line(out, "forced", KindName(info.forced));
  Line(out, "pairs of clocks", PairingName(info.pairing));
  Line(out, "routes sealed", info.sealed != 0 ? "yes" : "no");
}

// Histogram is a row of eight levels a factor of 2^(1/4) each, from the
// minimum.
std::string Histogram(const Cost& cost) {
  constexpr int kColumns = 16;
  constexpr const char* kLevels[] = {" ", "▁", "▂", "▃", "▄",
                                     "▅", "▆", "▇", "█"};
  int counts[kColumns] = {};
  const double min = cost.Min();
  for (const double sample : cost.samples) {
    const int column = static_cast<int>(4 * std::log2(sample / min));
    ++counts[std::clamp(column, 0, kColumns - 1)];
  }
  std::string text;
  const auto all = static_cast<double>(cost.samples.size());
  for (const int count : counts) {
    // A logarithm, so that the rare ones show: full is all, a step a factor
    // of 4.
    const int level = count == 0
                          ? 0
                          : std::max(1, 8 + static_cast<int>(std::floor(
                                                std::log2(count / all) / 2)));
    text += kLevels[level];
  }
  return text;
}

void AppendClocks(const Facts& facts, std::string* out) {
  absl::StrAppendFormat(out, "\n%-20s %-11s %-11s %-8s %8s %8s %8s %9s  %s\n",
                        "clock", "stays in", "resolution", "route", "min",
                        "p50", "p99", "x counter",
                        "from the minimum to 16 times it");
  for (const ClockFacts& clock : facts.clocks) {
    absl::StrAppendFormat(out, "%-20s %-11s ", clock.name,
                          UserSpaceName(clock.user_space));
    if (clock.error != 0) {
      absl::StrAppendFormat(out, "errno %d\n", -clock.error);
      continue;
    }
    *out += absl::StrFormat("%-11s ", Duration(clock.resolution_ns));
    const char* indent = "";
    for (const Cost& cost : clock.costs) {
      absl::StrAppendFormat(out, "%s%-8s %8.1f %8.1f %8.1f ", indent,
                            KindName(cost.kind), cost.Min(),
                            cost.Percentile(50), cost.Percentile(99));
      *out += facts.counter_ns > 0
                  ? absl::StrFormat("%9.2f", cost.Min() / facts.counter_ns)
                  : absl::StrFormat("%9s", "-");
      absl::StrAppend(out, "  |", Histogram(cost), "|\n");
      indent = "                                             ";
    }
    if (clock.costs.empty()) *out += "\n";
  }
  absl::StrAppend(
      out, "Nanoseconds a reading, of batches of 32. ",
      facts.counter_ns > 0
          ? absl::StrFormat("A raw read of the counter takes %.1f.\n",
                            facts.counter_ns)
          : "User space may not read the counter here.\n");
  if (facts.interrupted)
    *out += "Interrupted: the figures are of fewer samples.\n";
}

}  // namespace

std::string TextReport(const Facts& facts) {
  std::string out;
  AppendMachine(facts, &out);
  AppendRoutes(facts, &out);
  AppendClocks(facts, &out);
  const std::vector<Advice> advice = Advise(facts);
  out += advice.empty() ? "\nAll is well.\n" : "\n";
  for (const Advice& piece : advice) {
    absl::StrAppend(&out, "* ", piece.what, "\n  ", piece.todo, "\n");
  }
  return out;
}

}  // namespace runtime
