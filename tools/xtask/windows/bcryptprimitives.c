/* Rust's standard library takes its random bytes from ProcessPrng of bcryptprimitives.dll, which Wine 8 lacks: every program
 * would end before its first line. This is that library, over the system's older function. It's for Wine alone: Windows has
 * its own, and nothing of this is ever shipped. */
#include <windows.h>

/* RtlGenRandom by the name under which advapi32 exports it. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
  while (length > 0) {
    ULONG part = length < 0x10000000 ? (ULONG)length : 0x10000000;
    if (!SystemFunction036(buffer, part)) {
      return FALSE;
    }
    buffer += part;
    length -= part;
  }
  return TRUE;
}
