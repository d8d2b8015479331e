#include "nlohmann/json.hpp"
#include "tools/clockinfo/advice.h"
#include "tools/clockinfo/report.h"

namespace runtime {
namespace {

using Json = nlohmann::ordered_json;

Json Wall(const runtime_Walltime& wall) {
  return {{"sec", wall.sec}, {"nsec", wall.nsec}};
}

Json WallClock(const Facts& facts) {
  const runtime_WalltimeBounds& bounds = facts.bounds;
  Json json = {{"error", facts.bounds_error},
               {"synchronized", bounds.synchronized != 0},
               {"status", bounds.status},
               {"state", bounds.state},
               {"tai_offset_s", bounds.taiOffset}};
  if (bounds.synchronized != 0) {
    json["max_error_ns"] = bounds.maxErrorNs;
    json["est_error_ns"] = bounds.estErrorNs;
    json["earliest"] = Wall(bounds.earliest);
    json["latest"] = Wall(bounds.latest);
  }
  return json;
}

Json Routes(const runtime_TimeInfo& info) {
  Json routes = Json::array();
  for (int i = 0; i < info.route_count; ++i) {
    const runtime_RouteInfo& route = info.routes[i];
    Json json = {{"kind", KindName(route.kind)},
                 {"symbol", route.symbol},
                 {"version", nullptr},
                 {"address", route.address},
                 {"state", StateName(route.state)},
                 {"verification", VerificationName(route.verification)},
                 {"failures", route.failures}};
    if (route.version != nullptr) json["version"] = route.version;
    routes.push_back(json);
  }
  return routes;
}

Json Costs(const ClockFacts& clock, double counter_ns) {
  Json costs = Json::array();
  for (const Cost& cost : clock.costs) {
    Json json = {
        {"route", KindName(cost.kind)},  {"samples", cost.samples.size()},
        {"min_ns", cost.Min()},          {"p50_ns", cost.Percentile(50)},
        {"p99_ns", cost.Percentile(99)}, {"x_counter", nullptr}};
    if (counter_ns > 0) json["x_counter"] = cost.Min() / counter_ns;
    costs.push_back(json);
  }
  return costs;
}

Json Clocks(const Facts& facts) {
  Json clocks = Json::array();
  for (const ClockFacts& clock : facts.clocks) {
    clocks.push_back({{"name", clock.name},
                      {"id", clock.clockid},
                      {"stays_in", UserSpaceName(clock.user_space)},
                      {"error", clock.error},
                      {"resolution_ns", clock.resolution_ns},
                      {"costs", Costs(clock, facts.counter_ns)}});
  }
  return clocks;
}

Json AdviceOf(const Facts& facts) {
  Json json = Json::array();
  for (const Advice& piece : Advise(facts)) {
    json.push_back({{"what", piece.what}, {"todo", piece.todo}});
  }
  return json;
}

}  // namespace

std::string JsonReport(const Facts& facts) {
  const runtime_TimeInfo& info = facts.info;
  const Json json = {{"kernel", facts.kernel_release},
                     {"kernel_command_line", facts.command_line},
                     {"hypervisor", facts.hypervisor},
                     {"clocksource", facts.clocksource},
                     {"available_clocksources", facts.available_clocksources},
                     {"wall_clock", WallClock(facts)},
                     {"timens_offsets", facts.timens_offsets},
                     {"seccomp_filter", facts.seccomp_filter},
                     {"vdso",
                      {{"is", VdsoName(facts)},
                       {"load_start", info.load_start},
                       {"load_end", info.load_end},
                       {"hash_table", HashTableName(info.hash_table)}}},
                     {"forced", KindName(info.forced)},
                     {"pairing", PairingName(info.pairing)},
                     {"sealed", info.sealed != 0},
                     {"demotions", info.demotions},
                     {"rejections", info.rejections},
                     {"routes", Routes(info)},
                     {"counter_ns", facts.counter_ns},
                     {"interrupted", facts.interrupted},
                     {"falls_back", facts.FallsBack()},
                     {"clocks", Clocks(facts)},
                     {"advice", AdviceOf(facts)}};
  // What a kernel calls itself need not be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace runtime
