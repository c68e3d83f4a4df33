/* Loaded before libc: tells of every fsync and fdatasync, holds them back while a file is there, lets them fail while another is.
 *
 * The folder is $SYNCS_FOLDER: `log` gets a line when one begins and a line when one is done, `hold` and `fail` are the files. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *folder(void) {
    const char *found = getenv("SYNCS_FOLDER");
    return found ? found : "/nonexistent";
}

static int is_there(const char *name) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder(), name);
    return access(path, F_OK) == 0;
}

static void tell(const char *what, int file) {
    char path[PATH_MAX], link[64], of[PATH_MAX], line[2 * PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, of, sizeof of - 1);
    of[length < 0 ? 0 : length] = 0;
    snprintf(path, sizeof path, "%s/log", folder());
    int log = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (log >= 0) {
        int size = snprintf(line, sizeof line, "%s %s\n", what, of);
        if (write(log, line, size) < 0) {}
        close(log);
    }
}

static int sync_of(const char *name, int file) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    tell("begins", file);
    while (is_there("hold"))
        usleep(1000);
    if (is_there("fail")) {
        tell("fails", file);
        errno = EIO;
        return -1;
    }
    int found = real(file);
    tell("done", file);
    return found;
}

int fsync(int file) { return sync_of("fsync", file); }
int fdatasync(int file) { return sync_of("fdatasync", file); }
