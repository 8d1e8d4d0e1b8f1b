// What the Embedded Swift standard library needs on wasm32 without an operating system: an allocator, memcmp, round,
// the stack guard, entropy. Nothing is imported from JavaScript. On other platforms this file is empty.
#ifdef __wasm__

typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ address;
typedef unsigned char byte;
typedef unsigned int word;

// --- Memory ---------------------------------------------------------------------------------------------------------
// Blocks come in powers of two, one free list for each size. Sixteen bytes before each block hold its size class, which
// keeps every block aligned to sixteen. Memory is never given back to the browser; a freed block is used again.

extern byte __heap_base;
static address top, end;
static void *spare[32];

static void *extend(size_t size) {
    if (!top) {
        top = ((address)&__heap_base + 15) & ~(address)15;
        end = __builtin_wasm_memory_size(0) << 16;
    }
    address start = top;
    if (start + size < start) return 0;
    if (start + size > end) {
        size_t pages = (start + size - end + 0xFFFF) >> 16;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return 0;
        end += pages << 16;
    }
    top = start + size;
    return (void *)start;
}

static word sizeClass(size_t size) {
    word class = 32 - __builtin_clz((word)(size + 15));
    return class < 5 ? 5 : class;
}

void *malloc(size_t size) {
    if (size > 0x3FFFFFFFu) return 0;
    word class = sizeClass(size);
    void *block = spare[class];
    if (block) {
        spare[class] = *(void **)block;
        return block;
    }
    byte *start = extend((size_t)1 << class);
    if (!start) return 0;
    *(word *)start = class;
    return start + 16;
}

void free(void *block) {
    if (!block) return;
    word class = *(word *)((byte *)block - 16);
    *(void **)block = spare[class];
    spare[class] = block;
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment > 16) __builtin_trap();
    *block = malloc(size);
    return *block ? 0 : 12;
}

int memcmp(const void *left, const void *right, size_t count) {
    const byte *a = left, *b = right;
    for (; count; count--, a++, b++)
        if (*a != *b) return *a - *b;
    return 0;
}

// --- Arithmetic -----------------------------------------------------------------------------------------------------

double round(double value) {
    double whole = __builtin_trunc(value);
    return __builtin_fabs(value - whole) >= 0.5 ? whole + __builtin_copysign(1, value) : whole;
}

// The product of two 128-bit numbers: what a 64-bit multiplication needs that looks out for overflow.
__int128 __multi3(__int128 left, __int128 right) {
    typedef unsigned long long u64;
    u64 a = (u64)left, b = (u64)right;
    u64 a0 = a & 0xFFFFFFFFu, a1 = a >> 32, b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
    u64 low = a0 * b0;
    u64 middle = a1 * b0 + (low >> 32);
    u64 cross = a0 * b1 + (middle & 0xFFFFFFFFu);
    u64 high = a1 * b1 + (middle >> 32) + (cross >> 32);
    high += a * (u64)((unsigned __int128)right >> 64) + (u64)((unsigned __int128)left >> 64) * b;
    return (__int128)((unsigned __int128)high << 64 | (cross << 32 | (low & 0xFFFFFFFFu)));
}

// --- Safety ---------------------------------------------------------------------------------------------------------

address __stack_chk_guard = 0xC0FFEE42;
_Noreturn void __stack_chk_fail(void) { __builtin_trap(); }

// Seeds the hashing of dictionaries, always alike: an engine's output may not depend on it, and every run agrees.
void arc4random_buf(void *block, size_t count) {
    byte *next = block;
    word state = 0x9E3779B9u;
    while (count--) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        *next++ = (byte)state;
    }
}

#endif
