/* What a bare program needs: an entry, an exit, and printing bytes. */
#ifndef RUNTIME_H
#define RUNTIME_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef long i64;

static inline long call(long number, long a, long b, long c) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return a0;
}
static inline void emit(const void *bytes, u64 count) {
  call(64, 1, (long)bytes, (long)count);
}

void *memset(void *to, int value, u64 count) {
  u8 *p = (u8 *)to;
  while (count--) {
    *p++ = (u8)value;
    __asm__ volatile("" ::: "memory");
  }
  return to;
}
void *memcpy(void *to, const void *from, u64 count) {
  u8 *p = (u8 *)to;
  const u8 *q = (const u8 *)from;
  while (count--) {
    *p++ = *q++;
    __asm__ volatile("" ::: "memory");
  }
  return to;
}

static u64 state = 88172645463325252ul;
static inline u64 next_random(void) { /* xorshift64 */
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

int run(void);
__attribute__((noreturn)) void _start(void) {
  call(93, run(), 0, 0);
  __builtin_unreachable();
}

#endif
