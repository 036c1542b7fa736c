// Makes the N-th call of the system fail: preloaded into the programs of FailingCallsTests (LD_PRELOAD).
//
// Only calls about files below one folder are counted, and only between begin and end. A program says when that is by the
// functions at the end; one that cannot, the command-line tool, gets its orders in FAILING_CALLS for its whole life and
// leaves the counts in the file FAILING_CALLS_REPORT.
//
// With the error -1, the process is killed in place of the call.
//
// The calls are made by syscall(2): looking for libc's own functions might itself open and read.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// In the order in which FailingCallsWorker's CallKind has them.
enum kind { OPEN, READ, WRITE, FSYNC, RENAME, UNLINK, MMAP, FTRUNCATE, MKDIR, LINK, LOCK, KINDS };
enum verdict { PASS, HALF, FAIL };
enum { FILES = 65536 };

static char folder[PATH_MAX];
static size_t length;
static _Atomic unsigned char below[FILES];
static _Atomic int armed;
static _Atomic long counts[KINDS];
static _Atomic long failed;
static int order_kind, order_error, order_halves;
static long order_first, order_count;

static int is_below(int directory, const char *path) {
  if (!length || !path) return 0;
  if (path[0] != '/') return directory >= 0 && directory < FILES && below[directory];
  return !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

static int is_known(int file) { return file >= 0 && file < FILES && below[file]; }

static enum verdict judge(enum kind kind) {
  if (!armed) return PASS;
  long number = ++counts[kind];
  if ((int)kind != order_kind || number < order_first || number - order_first >= order_count) return PASS;
  failed++;
  if (order_error < 0) syscall(SYS_kill, getpid(), SIGKILL);
  if (order_halves) return HALF;
  errno = order_error;
  return FAIL;
}

static enum verdict judge_file(enum kind kind, int file) { return is_known(file) ? judge(kind) : PASS; }

// MARK: Opening

static int open_below(int directory, const char *path, int flags, mode_t mode) {
  int known = is_below(directory, path);
  if (known && judge(OPEN) == FAIL) return -1;
  int file = (int)syscall(SYS_openat, directory, path, flags, mode);
  if (file >= 0 && file < FILES) below[file] = (unsigned char)known;
  return file;
}

static mode_t mode_argument(int flags, va_list list) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

#define OPENS(name)                            \
  int name(const char *path, int flags, ...) { \
    va_list list;                              \
    va_start(list, flags);                     \
    mode_t mode = mode_argument(flags, list);  \
    va_end(list);                              \
    return open_below(AT_FDCWD, path, flags, mode); \
  }
#define OPENS_AT(name)                                        \
  int name(int directory, const char *path, int flags, ...) { \
    va_list list;                                             \
    va_start(list, flags);                                    \
    mode_t mode = mode_argument(flags, list);                 \
    va_end(list);                                             \
    return open_below(directory, path, flags, mode);          \
  }
OPENS(open)
OPENS(open64)
OPENS_AT(openat)
OPENS_AT(openat64)

DIR *opendir(const char *path) {
  static DIR *(*next)(const char *);
  if (is_below(-1, path) && judge(OPEN) == FAIL) return NULL;
  if (!next) next = (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
  return next(path);
}

int close(int file) {
  if (file >= 0 && file < FILES) below[file] = 0;
  return (int)syscall(SYS_close, file);
}

// Closes its file by a call that nobody else sees.
int closedir(DIR *folder) {
  static int (*next)(DIR *);
  if (!next) next = (int (*)(DIR *))dlsym(RTLD_NEXT, "closedir");
  int file = dirfd(folder);
  if (file >= 0 && file < FILES) below[file] = 0;
  return next(folder);
}

// MARK: Reading and writing

// Half of the bytes, and at least one: none would be the end of the file.
#define TRANSFERS(kind, file, count, call)        \
  switch (judge_file(kind, file)) {               \
    case FAIL: return -1;                         \
    case HALF: count = count - count / 2; break;  \
    case PASS: break;                             \
  }                                               \
  return call;

ssize_t read(int file, void *bytes, size_t count) {
  TRANSFERS(READ, file, count, syscall(SYS_read, file, bytes, count))
}
ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  TRANSFERS(READ, file, count, syscall(SYS_pread64, file, bytes, count, offset))
}
ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
  TRANSFERS(READ, file, count, syscall(SYS_pread64, file, bytes, count, offset))
}
ssize_t readv(int file, const struct iovec *parts, int count) {
  TRANSFERS(READ, file, count, syscall(SYS_readv, file, parts, count))
}
ssize_t write(int file, const void *bytes, size_t count) {
  TRANSFERS(WRITE, file, count, syscall(SYS_write, file, bytes, count))
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  TRANSFERS(WRITE, file, count, syscall(SYS_pwrite64, file, bytes, count, offset))
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  TRANSFERS(WRITE, file, count, syscall(SYS_pwrite64, file, bytes, count, offset))
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  TRANSFERS(WRITE, file, count, syscall(SYS_writev, file, parts, count))
}
ssize_t sendfile(int file, int from, off_t *offset, size_t count) {
  TRANSFERS(WRITE, file, count, syscall(SYS_sendfile, file, from, offset, count))
}
ssize_t copy_file_range(int from, off64_t *start, int file, off64_t *offset, size_t count, unsigned flags) {
  TRANSFERS(WRITE, file, count, syscall(SYS_copy_file_range, from, start, file, offset, count, flags))
}

// Nobody pulls the plug in these tests: what is written is there, and waiting for the disk would take most of the time.
int fsync(int file) {
  if (!is_known(file)) return (int)syscall(SYS_fsync, file);
  return judge(FSYNC) == FAIL ? -1 : 0;
}
int fdatasync(int file) {
  if (!is_known(file)) return (int)syscall(SYS_fdatasync, file);
  return judge(FSYNC) == FAIL ? -1 : 0;
}

static int truncate_below(int file, off64_t size) {
  if (judge_file(FTRUNCATE, file) == FAIL) return -1;
  return (int)syscall(SYS_ftruncate, file, size);
}
int ftruncate(int file, off_t size) { return truncate_below(file, size); }
int ftruncate64(int file, off64_t size) { return truncate_below(file, size); }

static void *map_below(void *place, size_t size, int protection, int flags, int file, off64_t offset) {
  if (judge_file(MMAP, file) == FAIL) return MAP_FAILED;
  return (void *)syscall(SYS_mmap, place, size, protection, flags, file, offset);
}
void *mmap(void *place, size_t size, int protection, int flags, int file, off_t offset) {
  return map_below(place, size, protection, flags, file, offset);
}
void *mmap64(void *place, size_t size, int protection, int flags, int file, off64_t offset) {
  return map_below(place, size, protection, flags, file, offset);
}

// MARK: Names

static int judge_name(enum kind kind, int directory, const char *path) {
  return is_below(directory, path) && judge(kind) == FAIL;
}

int rename(const char *old, const char *new) {
  if (judge_name(RENAME, -1, new)) return -1;
  return (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
}
int renameat(int from, const char *old, int to, const char *new) {
  if (judge_name(RENAME, to, new)) return -1;
  return (int)syscall(SYS_renameat2, from, old, to, new, 0);
}
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  if (judge_name(RENAME, to, new)) return -1;
  return (int)syscall(SYS_renameat2, from, old, to, new, flags);
}
int unlink(const char *path) {
  if (judge_name(UNLINK, -1, path)) return -1;
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
int unlinkat(int directory, const char *path, int flags) {
  if (judge_name(UNLINK, directory, path)) return -1;
  return (int)syscall(SYS_unlinkat, directory, path, flags);
}
int rmdir(const char *path) {
  if (judge_name(UNLINK, -1, path)) return -1;
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}
int mkdir(const char *path, mode_t mode) {
  if (judge_name(MKDIR, -1, path)) return -1;
  return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}
int mkdirat(int directory, const char *path, mode_t mode) {
  if (judge_name(MKDIR, directory, path)) return -1;
  return (int)syscall(SYS_mkdirat, directory, path, mode);
}
int link(const char *old, const char *new) {
  if (judge_name(LINK, -1, new)) return -1;
  return (int)syscall(SYS_linkat, AT_FDCWD, old, AT_FDCWD, new, 0);
}
int linkat(int from, const char *old, int to, const char *new, int flags) {
  if (judge_name(LINK, to, new)) return -1;
  return (int)syscall(SYS_linkat, from, old, to, new, flags);
}

// MARK: Locks

static int control(int file, int command, long argument) {
  int locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
  // Letting go of a lock does not fail, nor does the system let it.
  if (locks && ((struct flock *)argument)->l_type != F_UNLCK && judge_file(LOCK, file) == FAIL) return -1;
  int result = (int)syscall(SYS_fcntl, file, command, argument);
  if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC) && result >= 0 && result < FILES)
    below[result] = (unsigned char)is_known(file);
  return result;
}

#define CONTROLS(name)                    \
  int name(int file, int command, ...) {  \
    va_list list;                         \
    va_start(list, command);              \
    long argument = va_arg(list, long);   \
    va_end(list);                         \
    return control(file, command, argument); \
  }
CONTROLS(fcntl)
CONTROLS(fcntl64)

int flock(int file, int operation) {
  if (judge_file(LOCK, file) == FAIL) return -1;
  return (int)syscall(SYS_flock, file, operation);
}

// MARK: Orders

/// Counts what concerns files below that folder from now on.
void failing_calls_watch(const char *path) {
  length = strlen(path);
  if (length >= sizeof folder) abort();
  memcpy(folder, path, length + 1);
}

/// From here on, calls of that kind fail from the first-th on, count times; with halves, they move half of the bytes.
void failing_calls_begin(int kind, long first, long count, int error, int halves) {
  for (int index = 0; index < KINDS; index++) counts[index] = 0;
  failed = 0;
  order_kind = kind;
  order_first = first;
  order_count = count;
  order_error = error;
  order_halves = halves;
  armed = 1;
}

/// No more call fails. Gives how many have failed, and how many of each kind there were.
long failing_calls_end(long *found) {
  armed = 0;
  for (int index = 0; index < KINDS; index++) found[index] = counts[index];
  return failed;
}

/// Some file below the folder that is open; -1 if there is none.
int failing_calls_open_file(void) {
  for (int file = 0; file < FILES; file++)
    if (below[file]) return file;
  return -1;
}

__attribute__((constructor)) static void take_orders(void) {
  const char *text = getenv("FAILING_CALLS");
  int kind, error, halves, start = 0;
  long first, count;
  if (!text || sscanf(text, "%d %ld %ld %d %d %n", &kind, &first, &count, &error, &halves, &start) != 5) return;
  failing_calls_watch(text + start);
  failing_calls_begin(kind, first, count, error, halves);
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("FAILING_CALLS_REPORT");
  if (!path) return;
  long found[KINDS];
  long count = failing_calls_end(found);
  char text[1024];
  int size = snprintf(text, sizeof text, "%ld", count);
  for (int index = 0; index < KINDS; index++)
    size += snprintf(text + size, sizeof text - (size_t)size, " %ld", found[index]);
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, text, size);
  syscall(SYS_close, file);
}
