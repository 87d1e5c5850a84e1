/* Preloaded into an unmodified program: /dev/i2c-N and /dev/spidevB.C become a socket (LAMPION_RIG
 * names it) behind which simulated parts answer. Only what smbus2 and spidev's users ask is known.
 *
 * Each request is a struct request and `size` bytes, each answer an int32 errno and a uint32 size
 * with so many bytes. Kinds: 'o' open (the path), 'a' address, 't' an I2C setting, 'x' an SMBus
 * transfer (rw, command, protocol in `value`, the data block), 's' an SPI setting (number, value),
 * 'm' an SPI message (the bytes to send; its speed in `value`).
 *
 * RIG_GPIOMEM and RIG_CPUINFO, if set, are files to open in place of the Pi's own. With RIG_I2C
 * /dev/i2c-N stays the kernel's.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/spi/spidev.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MOST 1024
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

struct request {
    uint8_t kind, rw, command, pad;
    uint32_t value, size;
};

enum { NOT_OURS, I2C, SPI };
static char kind_of[MOST]; /* by file descriptor */
static pthread_mutex_t turn[MOST] = {[0 ... MOST - 1] = PTHREAD_MUTEX_INITIALIZER};

static int whole(int fd, void *data, size_t size, int out) {
    for (char *at = data; size;) {
        ssize_t n = out ? write(fd, at, size) : read(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        at += n, size -= n;
    }
    return 0;
}

/* Ask the other end; at most `room` bytes of the answer are kept. Returns 0, or -1 with errno. */
static int ask(int fd, struct request q, const void *data, void *back, size_t room) {
    struct {
        int32_t error;
        uint32_t size;
    } a;
    char rest[64];
    int failed;
    pthread_mutex_lock(&turn[fd]);
    failed = whole(fd, &q, sizeof q, 1) || whole(fd, (void *)data, q.size, 1) ||
             whole(fd, &a, sizeof a, 0) || a.size > sizeof rest || whole(fd, rest, a.size, 0);
    pthread_mutex_unlock(&turn[fd]);
    if (failed || a.error) {
        errno = failed ? EIO : a.error;
        return -1;
    }
    memcpy(back, rest, a.size < room ? a.size : room);
    return 0;
}

static int dial(const char *path, int kind) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), error;
    strncpy(at.sun_path, getenv("LAMPION_RIG"), sizeof at.sun_path - 1);
    if (fd < 0 || fd >= MOST || connect(fd, (struct sockaddr *)&at, sizeof at) ||
        ask(fd, (struct request){.kind = 'o', .size = strlen(path)}, path, NULL, 0)) {
        error = errno;
        if (fd >= 0)
            REAL(close)(fd);
        errno = error;
        return -1;
    }
    kind_of[fd] = kind;
    return fd;
}

static const char *moved(const char *path) {
    const char *to = !strcmp(path, "/dev/gpiomem")    ? getenv("RIG_GPIOMEM")
                     : !strcmp(path, "/proc/cpuinfo") ? getenv("RIG_CPUINFO")
                                                      : NULL;
    return to ? to : path;
}

static int opened(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    if (getenv("LAMPION_RIG")) {
        if (!strncmp(path, "/dev/i2c-", 9) && !getenv("RIG_I2C"))
            return dial(path, I2C);
        if (!strncmp(path, "/dev/spidev", 11))
            return dial(path, SPI);
    }
    return real(moved(path), flags, mode);
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...) {                                                   \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                    \
        va_end(rest);                                                                              \
        return opened(REAL(name), path, flags, mode);                                              \
    }
OPEN(open)
OPEN(open64)

FILE *fopen(const char *path, const char *mode) { return REAL(fopen)(moved(path), mode); }
FILE *fopen64(const char *path, const char *mode) { return REAL(fopen64)(moved(path), mode); }

int close(int fd) {
    if (fd >= 0 && fd < MOST)
        kind_of[fd] = NOT_OURS;
    return REAL(close)(fd);
}

static int i2c(int fd, unsigned long request, void *argument) {
    struct i2c_smbus_ioctl_data *t = argument;
    struct request q = {.kind = 't', .command = request & 0xff, .value = (uintptr_t)argument};
    switch (request) {
    case I2C_FUNCS:
        *(unsigned long *)argument = I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
        return 0;
    case I2C_SLAVE:
        q.kind = 'a'; /* fall through */
    case I2C_TIMEOUT:
    case I2C_RETRIES:
        return ask(fd, q, NULL, NULL, 0);
    case I2C_SMBUS:
        break;
    default:
        errno = ENOTTY;
        return -1;
    }
    if (t->size != I2C_SMBUS_BYTE_DATA && t->size != I2C_SMBUS_I2C_BLOCK_DATA) {
        errno = EOPNOTSUPP;
        return -1;
    }
    size_t size = t->size == I2C_SMBUS_BYTE_DATA ? 1 : I2C_SMBUS_BLOCK_MAX + 2;
    q = (struct request){'x', t->read_write, t->command, 0, t->size, size};
    return ask(fd, q, t->data, t->data, t->read_write ? size : 0);
}

static int spi(int fd, unsigned long request, void *argument) {
    unsigned number = _IOC_NR(request), size = _IOC_SIZE(request), at = 0;
    if (_IOC_TYPE(request) != SPI_IOC_MAGIC) {
        errno = ENOTTY;
        return -1;
    }
    if (number) { /* a setting, read or written */
        struct request q = {.kind = 's', .command = number};
        if (_IOC_DIR(request) == _IOC_READ)
            return 0;
        memcpy(&q.value, argument, size < 4 ? size : 4);
        return ask(fd, q, NULL, NULL, 0);
    }
    struct spi_ioc_transfer *all = argument;
    unsigned count = size / sizeof *all, length = 0;
    for (unsigned i = 0; i < count; i++)
        length += all[i].len;
    char *sent = malloc(length ? length : 1);
    for (unsigned i = 0; i < count; at += all[i].len, i++)
        memcpy(sent + at, (void *)(uintptr_t)all[i].tx_buf, all[i].len);
    struct request q = {.kind = 'm', .value = count ? all[0].speed_hz : 0, .size = length};
    int failed = ask(fd, q, sent, NULL, 0);
    free(sent);
    return failed ? -1 : (int)length;
}

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    switch (fd >= 0 && fd < MOST ? kind_of[fd] : NOT_OURS) {
    case I2C:
        return i2c(fd, request, argument);
    case SPI:
        return spi(fd, request, argument);
    }
    return REAL(ioctl)(fd, request, argument);
}
