/**
 * The system calls of a sandbox, as a seccomp profile that podman and docker read from a file. It takes the
 * place of their own, so it is a list of what is allowed: what an interpreter and its programs need, each
 * call of which podman's and docker's defaults allow, too. Whatever is not named here fails.
 */

/** Architectures whose system calls the list was made for. A program of another one is killed. */
export const PROFILE_ARCHITECTURES: ReadonlySet<string> = new Set([
  ...["amd64", "x86_64"],
  ...["arm64", "aarch64"],
]);

/** File that holds the profile. */
export const PROFILE_FILE = "seccomp.json";

// No memfd_create: with it, a program could run files of its own although nothing writable is executable.
const FILES =
  `access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat
  faccessat2 fadvise64 fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl fdatasync fgetxattr
  flistxattr flock fremovexattr fsetxattr fstat fstatfs fsync ftruncate futimesat getcwd getdents getdents64
  getxattr ioctl lchown lgetxattr link linkat listxattr llistxattr lremovexattr lseek lsetxattr lstat mkdir
  mkdirat mknod mknodat newfstatat open openat openat2 pipe pipe2 pread64 preadv preadv2 pwrite64 pwritev
  pwritev2 read readahead readlink readlinkat readv removexattr rename renameat renameat2 rmdir sendfile
  setxattr splice stat statfs statx symlink symlinkat sync sync_file_range syncfs tee truncate umask unlink
  unlinkat utime utimensat utimes write writev`;

const WAITING =
  `epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2
  inotify_add_watch inotify_init inotify_init1 inotify_rm_watch pause poll ppoll pselect6 select signalfd
  signalfd4 timerfd_create timerfd_gettime timerfd_settime`;

const MEMORY =
  `brk madvise membarrier mincore mlock mlock2 mlockall mmap mprotect mremap msync munlock
  munlockall munmap`;

const PROCESSES =
  `arch_prctl execve execveat exit exit_group fork futex futex_waitv get_robust_list getcpu
  getpgid getpgrp getpid getppid getpriority getrlimit getrusage getsid gettid kill pidfd_open
  pidfd_send_signal prctl prlimit64 rseq sched_get_priority_max sched_get_priority_min sched_getaffinity
  sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setattr
  sched_setparam sched_setscheduler sched_yield set_robust_list set_tid_address setpgid setpriority setrlimit
  setsid sysinfo tgkill times tkill uname vfork wait4 waitid`;

const USERS =
  `capget getegid geteuid getgid getgroups getresgid getresuid getuid setfsgid setfsuid setgid
  setgroups setregid setresgid setresuid setreuid setuid`;

const SIGNALS_AND_TIME =
  `alarm clock_getres clock_gettime clock_nanosleep getitimer getrandom gettimeofday
  nanosleep restart_syscall rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn
  rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo setitimer sigaltstack time timer_create timer_delete
  timer_getoverrun timer_gettime timer_settime`;

const SOCKETS =
  `accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg
  recvmsg sendmmsg sendmsg sendto setsockopt shutdown`;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
/** What a socket of the internet may speak: the family's default, TCP, UDP. Others load kernel modules. */
const PROTOCOLS = [0, 6, 17];

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACES = 0x7e020000;
const ENOSYS = 38;

interface Condition {
  index: number;
  op: "SCMP_CMP_EQ" | "SCMP_CMP_MASKED_EQ";
  value: number;
  valueTwo?: number;
}

/** Allows calls whose arguments have these values: argument number → value. */
function allow(names: string[], args: Readonly<Record<number, number>> = {}) {
  const conditions = Object.entries(args)
    .map(([index, value]): Condition => ({ index: Number(index), op: "SCMP_CMP_EQ", value }));
  return allowIf(names, conditions);
}

function allowIf(names: string[], args: Condition[]) {
  return { names, action: "SCMP_ACT_ALLOW", ...(args.length > 0 && { args }) };
}

const EVERYWHERE = [FILES, WAITING, MEMORY, PROCESSES, USERS, SIGNALS_AND_TIME, SOCKETS];

/**
 * SECURITY: kernel. Sockets of the host's hypervisor (AF_VSOCK, which no network namespace holds back) and of
 * rare protocols, namespaces, tracing, keys, io_uring, bpf, mounts: none of it can be asked for.
 */
export const SECCOMP_PROFILE: string = JSON.stringify({
  defaultAction: "SCMP_ACT_ERRNO",
  // As from a kernel without the call: C libraries then take the older one.
  defaultErrnoRet: ENOSYS,
  syscalls: [
    allow(EVERYWHERE.flatMap((names) => names.split(/\s+/))),
    allow(["socket", "socketpair"], { 0: AF_UNIX }),
    ...[AF_INET, AF_INET6].flatMap((family) =>
      PROTOCOLS.map((protocol) => allow(["socket"], { 0: family, 2: protocol }))
    ),
    // Lists the interfaces, of which there is one.
    allow(["socket"], { 0: AF_NETLINK, 2: NETLINK_ROUTE }),
    allowIf(["clone"], [
      { index: 0, op: "SCMP_CMP_MASKED_EQ", value: NEW_NAMESPACES, valueTwo: 0 },
    ]),
    // Its flags are in memory, which a filter cannot read. Older dockers know no default but EPERM.
    { names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: ENOSYS },
  ],
});
