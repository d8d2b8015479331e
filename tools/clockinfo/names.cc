#include "tools/clockinfo/report.h"

namespace runtime {

const char* KindName(int kind) {
  switch (kind) {
    case RUNTIME_ROUTE_AUTO:
      return "auto";
    case RUNTIME_ROUTE_VDSO:
      return "vdso";
    default:
      return "syscall";
  }
}

const char* VerificationName(int verification) {
  switch (verification) {
    case RUNTIME_VERIFY_HELD:
      return "held against the syscall";
    case RUNTIME_VERIFY_LIED:
      return "tells another time";
    case RUNTIME_VERIFY_FAILED:
      return "fails";
    case RUNTIME_VERIFY_FORBIDDEN:
      return "could fault";
    default:
      return "not verified";
  }
}

const char* StateName(int state) {
  switch (state) {
    case RUNTIME_STATE_IN_USE:
      return "in use";
    case RUNTIME_STATE_NEXT:
      return "in reserve";
    case RUNTIME_STATE_DEMOTED:
      return "given up";
    default:
      return "unused";
  }
}

const char* HashTableName(int hash_table) {
  switch (hash_table) {
    case RUNTIME_HASH_SYSV:
      return "DT_HASH";
    case RUNTIME_HASH_GNU:
      return "DT_GNU_HASH";
    default:
      return "none";
  }
}

const char* PairingName(int pairing) {
  switch (pairing) {
    case RUNTIME_PAIR_HELD:
      return "held";
    case RUNTIME_PAIR_BRACKETED:
      return "bracketed";
    default:
      return "twice";
  }
}

const char* UserSpaceName(UserSpace user_space) {
  switch (user_space) {
    case UserSpace::kYes:
      return "user space";
    case UserSpace::kNo:
      return "syscall";
    default:
      return "unknown";
  }
}

std::string VdsoName(const Facts& facts) {
  if (facts.info.load_start != 0) return "found";
  return facts.has_sysinfo_ehdr ? "offered, but not a valid image"
                                : "none: the auxiliary vector has no "
                                  "AT_SYSINFO_EHDR";
}

}  // namespace runtime
