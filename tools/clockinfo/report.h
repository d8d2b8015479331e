// The facts and the advice, for people and for programs.

#ifndef TOOLS_CLOCKINFO_REPORT_H_
#define TOOLS_CLOCKINFO_REPORT_H_

#include <string>

#include "tools/clockinfo/facts.h"

namespace runtime {

std::string TextReport(const Facts& facts);
std::string JsonReport(const Facts& facts);

// The words that both have for the values of info.h.
const char* KindName(int kind);
const char* VerificationName(int verification);
const char* StateName(int state);
const char* HashTableName(int hash_table);
const char* PairingName(int pairing);
const char* UserSpaceName(UserSpace user_space);

// VdsoName tells whether there is a vDSO, or why not.
std::string VdsoName(const Facts& facts);

}  // namespace runtime

#endif  // TOOLS_CLOCKINFO_REPORT_H_
