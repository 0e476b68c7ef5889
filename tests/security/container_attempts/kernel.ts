/** System calls that no program needs. */
import { type Attempt, NO_CALL } from "./attempt.ts";

/** An attempt that is one system call. */
function systemCall(
  name: string,
  args: string,
  neighbour: string,
  permitted: string,
  title = name,
): Attempt {
  return {
    name: `the kernel: ${title}`,
    code: `said(lambda: in_child(lambda: call("${name}"${args === "" ? "" : `, ${args}`})))`,
    refused: NO_CALL,
    neighbour,
    permitted,
  };
}

const FORKS = 'print(in_child(lambda: "a child"))';
const CLOCK = "print(time.time() > 0)";

/** By name of the call. */
export const KERNEL_ATTEMPTS: Attempt[] = [
  systemCall(
    "io_uring_setup",
    "8, buffer",
    "print(os.read(os.open('/dev/zero', 0), 1))",
    "b'\\x00'",
  ),
  systemCall(
    "io_setup",
    "1, buffer",
    "print(os.preadv(os.open('/dev/zero', 0), [buffer], 0))",
    "4096",
  ),
  systemCall("userfaultfd", "1", "print(len(mmap.mmap(-1, 4096)))", "4096"),
  systemCall("perf_event_open", "buffer, 0, -1, -1, 0", "print(time.perf_counter() > 0)", "True"),
  systemCall("bpf", "0, buffer, 72", "print(call('getpid') == os.getpid())", "True"),
  systemCall("keyctl", "1, 0", "print(len(os.urandom(8)))", "8", "a keyring of its own"),
  systemCall("add_key", 'b"user", b"k", b"v", 1, -3', "print(len(os.urandom(8)))", "8"),
  systemCall("unshare", "0x10000000", FORKS, "a child", "unshare of the user namespace"),
  systemCall("unshare", "0x00020000", FORKS, "a child", "unshare of the mount namespace"),
  systemCall("clone", "0x10000011, 0, 0, 0, 0", FORKS, "a child", "clone into a user namespace"),
  systemCall("clone", "0x40000011, 0, 0, 0, 0", FORKS, "a child", "clone into a network namespace"),
  systemCall("clone3", "buffer, 88", FORKS, "a child"),
  systemCall(
    "setns",
    'os.open("/proc/1/ns/mnt", 0) if os.access("/proc/1/ns/mnt", 4) else 0, 0',
    "print(os.readlink('/proc/self/ns/mnt')[:4])",
    "mnt:",
  ),
  systemCall("mount", 'b"x", b"/tmp", b"tmpfs", 0, 0', "os.mkdir('/tmp/m'); print(1)", "1"),
  systemCall("umount2", 'b"/ipc", 2', "print(os.path.ismount('/ipc'))", "True"),
  systemCall("fsopen", 'b"tmpfs", 0', "print(os.path.ismount('/tmp'))", "True"),
  systemCall("open_tree", '-100, b"/", 1', "print(os.path.isdir('/'))", "True"),
  systemCall("move_mount", '-100, b"/ipc", -100, b"/tmp", 0', "print(os.path.isdir('/'))", "True"),
  systemCall(
    "statmount",
    "buffer, buffer, 4096, 0",
    "print(os.statvfs('/tmp').f_bsize > 0)",
    "True",
  ),
  systemCall("listmount", "buffer, buffer, 8, 0", "print(os.statvfs('/tmp').f_bsize > 0)", "True"),
  systemCall("pivot_root", 'b"/tmp", b"/tmp"', "os.chdir('/tmp'); print(os.getcwd())", "/tmp"),
  systemCall("chroot", 'b"/tmp"', "os.chdir('/workspace'); print(os.getcwd())", "/workspace"),
  systemCall("ptrace", "16, 1, 0, 0", FORKS, "a child", "ptrace of the init process"),
  systemCall("ptrace", "16, os.getppid(), 0, 0", FORKS, "a child", "ptrace of another process"),
  systemCall(
    "process_vm_readv",
    "os.getppid(), buffer, 1, buffer, 1, 0",
    FORKS,
    "a child",
    "memory of another process",
  ),
  systemCall("process_vm_writev", "os.getppid(), buffer, 1, buffer, 1, 0", FORKS, "a child"),
  systemCall(
    "pidfd_getfd",
    "os.pidfd_open(os.getppid()), 0, 0",
    "print(os.pidfd_open(os.getpid()) > 0)",
    "True",
    "file descriptors of another process",
  ),
  systemCall("kcmp", "1, os.getpid(), 0, 0, 0", "print(os.getpid() > 1)", "True"),
  systemCall("init_module", 'buffer, 10, b""', "import json; print(json.loads('1'))", "1"),
  systemCall("kexec_load", "0, 0, 0, 0", CLOCK, "True"),
  systemCall("reboot", "0xfee1dead, 672274793, 0, 0", CLOCK, "True"),
  systemCall("settimeofday", "buffer, 0", CLOCK, "True"),
  systemCall("clock_settime", "0, buffer", CLOCK, "True"),
  systemCall("sethostname", 'b"x", 1', "print(socket.gethostname() != '')", "True"),
  systemCall("capset", "buffer, buffer", "print(os.getuid() > 0)", "True"),
  systemCall(
    "open_by_handle_at",
    "os.open('/etc/hosts', 0), buffer, 0",
    "print(os.path.exists('/etc/hosts'))",
    "True",
    "files of the host by their handle",
  ),
  systemCall("name_to_handle_at", '-100, b"/etc/hosts", buffer, buffer, 0', CLOCK, "True"),
  systemCall("swapon", 'b"/tmp/x", 0', CLOCK, "True"),
  systemCall("acct", "0", "print(resource.getrusage(0).ru_maxrss > 0)", "True"),
  systemCall("quotactl", "0, 0, 0, 0", "print(shutil.disk_usage('/tmp').total > 0)", "True"),
  systemCall("syslog", "3, buffer, 4096", "import logging; logging.warning('x'); print(1)", "1"),
  systemCall("personality", "0x0040000", "print(sys.platform)", "linux"),
  systemCall(
    "memfd_create",
    'b"x", 0',
    "write_file('/tmp/f'); print(os.path.getsize('/tmp/f'))",
    "17",
  ),
  systemCall("memfd_secret", "0", "print(len(mmap.mmap(-1, 4096)))", "4096"),
];
