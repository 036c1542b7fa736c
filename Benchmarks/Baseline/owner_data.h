// Owners of three members each, the same on both sides; a member's row names its owner, and an index leads back.
#ifndef OWNER_DATA_H
#define OWNER_DATA_H

#define OWNER_STORE "baseline-owners.db"

enum { OWNERS = 10000, MEMBERS_EACH = 3 };

// Makes them, the same as Sources/Workloads/Owners/OwnerStack.swift.
void owners_prepare(const char *folder);

#endif
