/* From which sources the library was made. */
#include "common.h"

/* The fingerprint of all files beside this one as they were when they were compiled; the loader compares. */
#ifndef SOURCE_FINGERPRINT
#define SOURCE_FINGERPRINT "unknown"
#endif
API const char *arena_fingerprint(void) { return SOURCE_FINGERPRINT; }
