/**
 * Ways out of a container that have names, as programs: each prints how it was refused, and beside it stands
 * what programs may do instead. `container_escape_test.ts` runs them inside one sandbox, in turn.
 */

/** One attempt. */
export interface Attempt {
  name: string;
  /** Python that tries it and prints a line. */
  code: string;
  /** What the line is, whole, when the boundary holds. */
  refused: RegExp;
  /** Python that does what is permitted. */
  neighbour: string;
  permitted: string;
}

/** Defines what the programs use; run once, before them. */
export const PREAMBLE =
  `import asyncio, ctypes, errno, mmap, os, resource, shutil, signal, socket, subprocess, sys, time
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(4096)
# Numbers of x86-64 and arm64.
NUMBERS = {
  "acct": (163, 89), "add_key": (248, 217), "bpf": (321, 280), "capset": (126, 91), "chroot": (161, 51),
  "clock_settime": (227, 112), "clone": (56, 220), "clone3": (435, 435), "fsopen": (430, 430),
  "getpid": (39, 172), "init_module": (175, 105), "io_setup": (206, 0), "io_uring_setup": (425, 425),
  "kcmp": (312, 272), "kexec_load": (246, 104), "keyctl": (250, 219), "listmount": (458, 458),
  "memfd_create": (319, 279), "memfd_secret": (447, 447), "mount": (165, 40), "move_mount": (429, 429),
  "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "open_tree": (428, 428),
  "perf_event_open": (298, 241), "personality": (135, 92), "pidfd_getfd": (438, 438),
  "pivot_root": (155, 41), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
  "ptrace": (101, 117), "quotactl": (179, 60), "reboot": (169, 142), "sethostname": (170, 161),
  "setns": (308, 268), "settimeofday": (164, 170), "statmount": (457, 457), "swapon": (167, 224),
  "syslog": (103, 116), "umount2": (166, 39), "unshare": (272, 97), "userfaultfd": (323, 282),
}
ARM = os.uname().machine == "aarch64"

def call(name, *args):
  """The result of a system call, or the name of its error."""
  result = libc.syscall(NUMBERS[name][ARM], *args)
  return result if result >= 0 else errno.errorcode[ctypes.get_errno()]

def said(work):
  """Prints what it gave, or the name of its error."""
  try: print(work())
  except OSError as e: print(errno.errorcode.get(e.errno, type(e).__name__))

def errors(paths, flags=os.O_WRONLY):
  """What opening each of them gives."""
  found = set()
  for path in paths:
    try: os.close(os.open(path, flags)); found.add("open " + path)
    except OSError as e: found.add(errno.errorcode[e.errno])
  return " ".join(sorted(found))

def write_file(path, mode=0o644, data=b"#!/bin/sh\\nexit 0\\n"):
  with open(path, "wb") as f: f.write(data)
  os.chmod(path, mode)
  return path

def connect(family, address):
  with socket.socket(family) as s:
    s.settimeout(3)
    s.connect(address)
    return "connected"

def in_child(work):
  """What it gives in a child, so that it may harm nobody."""
  reader, writer = os.pipe()
  pid = os.fork()
  if pid == 0:
    try: os.write(writer, str(work()).encode())
    finally: os._exit(0)
  os.close(writer)
  with os.fdopen(reader, "rb") as f: text = f.read().decode()
  os.waitpid(pid, 0)
  return text
`;

/** A call that is not on the list: as if the kernel had none, or forbidden. */
const NO_CALL = /^(ENOSYS|EPERM)$/;

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

const CALLS: Attempt[] = [
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

const TALKS = `async def talk():
  async def answer(reader, writer):
    writer.write(await reader.readline())
    writer.close()
  server = await asyncio.start_server(answer, "127.0.0.1", 0)
  reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
  writer.write(b"hello\\n")
  line = await reader.readline()
  writer.close()
  server.close()
  return line
print(await talk())`;
const HELLO = "b'hello\\n'";
const PAIR = `a, b = socket.socketpair()
a.send(b"hello\\n"); print(b.recv(9))
a.close(); b.close()`;

function socketOf(name: string, args: string): Attempt {
  return {
    name: `the network: ${name}`,
    code: `said(lambda: socket.socket(${args}))`,
    refused: NO_CALL,
    neighbour: PAIR,
    permitted: HELLO,
  };
}

const NETWORK: Attempt[] = [
  socketOf("AF_VSOCK, the host's hypervisor", "40, socket.SOCK_STREAM"),
  socketOf("AF_ALG, the kernel's ciphers", "38, socket.SOCK_SEQPACKET"),
  socketOf("AF_PACKET", "17, socket.SOCK_RAW"),
  socketOf("a raw socket", "socket.AF_INET, socket.SOCK_RAW, 1"),
  socketOf("SCTP, a module that the kernel would load", "socket.AF_INET, socket.SOCK_STREAM, 132"),
  socketOf("netlink of the packet filter", "socket.AF_NETLINK, socket.SOCK_RAW, 12"),
  {
    name: "the network: any family but UNIX, internet and netlink",
    code: `opened = []
for family in set(range(1, 50)) - {socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK}:
  for kind in range(1, 6):
    for protocol in (0, 1, 3):
      try: socket.socket(family, kind, protocol).close(); opened.append(family)
      except OSError as e:
        if e.errno not in (errno.ENOSYS, errno.EPERM): opened.append((family, errno.errorcode[e.errno]))
print(opened)`,
    refused: /^\[\]$/,
    neighbour: TALKS,
    permitted: HELLO,
  },
  {
    name: "the network: the host's loopback",
    // The test listens there.
    code: 'said(lambda: connect(socket.AF_INET, ("127.0.0.1", HOST_PORT)))',
    refused: /^ECONNREFUSED$/,
    neighbour: TALKS,
    permitted: HELLO,
  },
  {
    name: "the network: the metadata service of a cloud",
    code: 'said(lambda: connect(socket.AF_INET, ("169.254.169.254", 80)))',
    refused: /^ENETUNREACH$/,
    neighbour: TALKS,
    permitted: HELLO,
  },
  {
    name: "the network: a public address over IPv6",
    code: 'said(lambda: connect(socket.AF_INET6, ("2606:4700:4700::1111", 53)))',
    refused: /^(ENETUNREACH|EADDRNOTAVAIL)$/,
    neighbour: "print([name for _, name in socket.if_nameindex() if name != 'sit0'])",
    permitted: "['lo']",
  },
  {
    name: "the network: names",
    code: `try: print(socket.getaddrinfo("example.com", 80))
except socket.gaierror: print("unknown")`,
    refused: /^unknown$/,
    neighbour: "print('127.0.0.1' in {a[4][0] for a in socket.getaddrinfo('localhost', 80)})",
    permitted: "True",
  },
  {
    name: "the network: sockets of container engines",
    code: `said(lambda: [connect(socket.AF_UNIX, path) for path in
  ("/var/run/docker.sock", "/run/docker.sock", "/run/podman/podman.sock", "/run/containerd/containerd.sock")])`,
    refused: /^ENOENT$/,
    neighbour: `server = socket.socket(socket.AF_UNIX); server.bind("/tmp/s"); server.listen()
print(connect(socket.AF_UNIX, "/tmp/s")); server.close()`,
    permitted: "connected",
  },
  {
    name: "the network: UNIX sockets of the host without a file",
    code: "print([l.split()[-1] for l in open('/proc/net/unix') if ' @' in l or ' /run' in l])",
    refused: /^\[\]$/,
    neighbour: `server = socket.socket(socket.AF_UNIX); server.bind("\\0s"); server.listen()
print(connect(socket.AF_UNIX, "\\0s")); server.close()`,
    permitted: "connected",
  },
];

const MODULE = `name = "_decimal"
import importlib.util, glob
library = next(iter(glob.glob("/lib/*/libc.so.6") + glob.glob("/usr/lib/*/libc.so.6")))`;
const RUNS = 'print(subprocess.run([sys.executable, "-c", ""]).returncode)';

const FILES: Attempt[] = [
  {
    name: "files: the keys of the kernel in /proc",
    code:
      `print(errors(["/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe",
  "/proc/sys/vm/drop_caches", "/proc/sys/fs/binfmt_misc/register", "/proc/sys/kernel/hostname"]))`,
    refused: /^((EROFS|EACCES|ENOENT|EPERM) ?)+$/,
    neighbour: "print(open('/proc/sys/kernel/ostype').read().strip())",
    permitted: "Linux",
  },
  {
    name: "files: the keys of the kernel in /sys",
    code: `print(errors(["/sys/kernel/uevent_helper", "/sys/power/state", "/sys/kernel/mm/ksm/run",
  "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/firmware/efi/vars"]))`,
    refused: /^((EROFS|EACCES|ENOENT|EPERM) ?)+$/,
    neighbour: "print(os.path.isdir('/sys/kernel'))",
    permitted: "True",
  },
  {
    name: "files: its own control group",
    code: `import glob
print(errors(glob.glob("/sys/fs/cgroup/**/release_agent", recursive=True) + ["/sys/fs/cgroup/release_agent"]
  + glob.glob("/sys/fs/cgroup/**/memory*limit_in_bytes", recursive=True) + ["/sys/fs/cgroup/memory.max"]
  + glob.glob("/sys/fs/cgroup/**/pids.max", recursive=True) + glob.glob("/sys/fs/cgroup/**/cgroup.procs", recursive=True)))`,
    refused: /^((EROFS|EACCES|ENOENT|EPERM) ?)+$/,
    neighbour: "print(os.path.exists('/proc/self/cgroup'))",
    permitted: "True",
  },
  {
    name: "files: raw devices",
    code:
      `print(errors(["/dev/mem", "/dev/kmem", "/dev/kmsg", "/dev/port", "/dev/sda", "/dev/vda", "/dev/nvme0n1",
  "/dev/loop0", "/dev/loop-control", "/dev/kvm", "/dev/vsock", "/dev/fuse", "/dev/net/tun"], os.O_RDONLY))`,
    refused: /^ENOENT$/,
    neighbour: "print(len(open('/dev/urandom', 'rb').read(8)))",
    permitted: "8",
  },
  {
    name: "files: a device node of its own",
    code:
      "import stat\nsaid(lambda: os.mknod('/tmp/disk', stat.S_IFBLK | 0o666, os.makedev(8, 0)))",
    refused: /^EPERM$/,
    neighbour: "os.mkfifo('/tmp/fifo'); print(os.path.exists('/tmp/fifo'))",
    permitted: "True",
  },
  {
    name: "files: memory of the kernel and its keys",
    code: `text = b""
for path in ("/proc/kcore", "/proc/keys", "/proc/timer_list", "/proc/latency_stats", "/proc/sched_debug"):
  try: text += open(path, "rb").read(64)
  except OSError: pass
print(text)`,
    refused: /^b''$/,
    neighbour: "print('MemTotal' in open('/proc/meminfo').read())",
    permitted: "True",
  },
  {
    name: "files: whatever can be written outside of its folders",
    code: `print(sorted({folder for folder, folders, _ in os.walk("/") if os.access(folder, os.W_OK)
  and not folder.startswith(("/proc", "/tmp", "/workspace", "/dev/shm", "/dev/mqueue"))}))`,
    refused: /^\[\]$/,
    neighbour: "print(os.access('/tmp', os.W_OK), os.access('/workspace', os.W_OK))",
    permitted: "True True",
  },
  {
    name: "files: the root of another process",
    code: "said(lambda: sorted(os.listdir('/proc/1/root')) == sorted(os.listdir('/')))",
    refused: /^(True|EACCES|EPERM)$/,
    neighbour: "print(os.path.isdir('/proc/self/root/tmp'))",
    permitted: "True",
  },
  {
    name: "files: the runtime, which was checked when it was loaded",
    code: `print(errors(["/ipc/entrypoint.py"]))
for work in (lambda: os.unlink("/ipc/entrypoint.py"), lambda: os.rename("/ipc/entrypoint.py", "/ipc/x"),
  lambda: os.symlink("/tmp", "/ipc/x"), lambda: os.chmod("/ipc", 0o777), lambda: os.link("/tmp/f", "/ipc/x")): said(work)`,
    refused: /^((EROFS|EXDEV|EPERM|EACCES|ENOENT)\n?)+$/,
    neighbour: "print(open('/ipc/entrypoint.py').read() != '')",
    permitted: "True",
  },
  {
    name: "files: names of hosts",
    code: 'print(errors(["/etc/hosts", "/etc/resolv.conf", "/etc/hostname", "/etc/passwd"]))',
    refused: /^((EROFS|EACCES|ENOENT) ?)+$/,
    neighbour: "print('localhost' in open('/etc/hosts').read())",
    permitted: "True",
  },
  {
    name: "files: paths of the host, but for those that name the mounts",
    // Field 4 is the folder of the host, for mounts of its disks; what is left is said in docs/security.md.
    code: `places = set()
for line in open("/proc/self/mountinfo"):
  fields = line.split()
  if fields[4].startswith(("/sys", "/proc", "/dev")) or fields[3] == "/": continue
  places.add(fields[4])
print(sorted(places - {"/ipc", "/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/etc/passwd", "/etc/group",
  "/run/podman-init", "/sbin/docker-init", "/usr/sbin/docker-init", "/run/.containerenv", "/run/secrets", "/etc/mtab"}))`,
    refused: /^\[\]$/,
    neighbour: "print(os.path.ismount('/tmp'), os.path.ismount('/workspace'))",
    permitted: "True True",
  },
];

const PROGRAMS: Attempt[] = [
  {
    name: "programs: a file of its own, by the loader",
    code: `import glob
loader = next(iter(glob.glob("/lib64/ld-linux*") + glob.glob("/lib/ld-linux*") + glob.glob("/lib/ld-musl*")))
shutil.copy(os.path.realpath(sys.executable), "/tmp/python"); os.chmod("/tmp/python", 0o755)
print(subprocess.run([loader, "/tmp/python", "-c", ""], stderr=-3).returncode == 0)`,
    refused: /^False$/,
    neighbour:
      `print(subprocess.run([loader, os.path.realpath(sys.executable), "-c", ""]).returncode)`,
    permitted: "0",
  },
  ...["/tmp", "/workspace", "/dev/shm"].map((folder): Attempt => ({
    name: `programs: a file of its own in ${folder}`,
    code: `said(lambda: subprocess.run([write_file("${folder}/program", 0o755)]).returncode)`,
    refused: /^EACCES$/,
    neighbour: RUNS,
    permitted: "0",
  })),
  {
    name: "programs: a library of its own",
    code: `${MODULE}
shutil.copy(library, "/tmp/own.so")
try: print(ctypes.CDLL("/tmp/own.so"))
except OSError as e: print("failed to map" in str(e) or "not permitted" in str(e) or "Error loading" in str(e))`,
    refused: /^True$/,
    neighbour: "print(ctypes.CDLL(library).getpid() == os.getpid())",
    permitted: "True",
  },
  {
    name: "programs: the superuser",
    code: "said(lambda: os.setuid(0)); said(lambda: os.setgid(0)); said(lambda: os.setgroups([0]))",
    refused: /^(EPERM|EINVAL)\n(EPERM|EINVAL)\n(EPERM|EINVAL)$/,
    neighbour: "os.setuid(os.getuid()); print(os.getuid())",
    permitted: "65534",
  },
  {
    name: "programs: a program of its own that would run as another",
    code: "write_file('/tmp/suid', 0o4755)\nprint(bool(os.statvfs('/tmp').f_flag & os.ST_NOSUID))",
    refused: /^True$/,
    neighbour: "os.chmod('/tmp/suid', 0o644); print(oct(os.stat('/tmp/suid').st_mode)[-3:])",
    permitted: "644",
  },
  {
    name: "programs: a file of another user",
    code: "said(lambda: os.chown('/tmp/suid', 0, 0))",
    refused: /^(EPERM|EINVAL)$/,
    neighbour: "os.chown('/tmp/suid', os.getuid(), os.getgid()); print(1)",
    permitted: "1",
  },
  {
    name: "programs: the init process",
    code: `os.kill(1, signal.SIGKILL); time.sleep(0.1)
print("alive", os.path.exists("/proc/1"))`,
    refused: /^alive True$/,
    neighbour: `child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
child.kill(); print(child.wait())`,
    permitted: "-9",
  },
  {
    name: "programs: processes of others",
    code:
      `lines = [open(f"/proc/{pid}/cmdline").read().replace("\\0", " ") for pid in os.listdir("/proc") if pid.isdigit()]
print([l for l in lines if l and "python3" not in l and "init" not in l])`,
    refused: /^\[\]$/,
    neighbour: "print('python3' in open('/proc/self/cmdline').read())",
    permitted: "True",
  },
  {
    name: "programs: the environment of its parents",
    code: `text = b""
for pid in (1, os.getppid(), "self"):
  try: text += open(f"/proc/{pid}/environ", "rb").read()
  except OSError: pass
print(b"HOST_SECRET" in text, HOST_NAME in socket.gethostname())`,
    refused: /^False False$/,
    neighbour: "print(os.environ['HOME'])",
    permitted: "/workspace",
  },
  {
    name: "programs: higher limits",
    code:
      `for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC, resource.RLIMIT_MEMLOCK, resource.RLIMIT_NICE):
  hard = resource.getrlimit(limit)[1]
  if hard == -1: continue
  try: resource.setrlimit(limit, (hard + 1, hard + 1)); print("raised", limit)
  except (ValueError, OSError): pass
print("held")`,
    refused: /^held$/,
    neighbour: `soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
resource.setrlimit(resource.RLIMIT_CORE, (0, hard)); print(resource.getrlimit(resource.RLIMIT_CORE)[0])`,
    permitted: "0",
  },
  {
    name: "programs: a higher priority",
    code:
      "said(lambda: os.nice(-5)); said(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))",
    refused: /^(EPERM|EACCES)\nEPERM$/,
    neighbour: "print(in_child(lambda: os.nice(1) > 0))",
    permitted: "True",
  },
  {
    name: "programs: every file descriptor",
    code: `def exhaust():
  found = []
  try:
    while len(found) < 2_000_000: found.append(os.open("/dev/null", 0))
  except OSError as e: return errno.errorcode[e.errno]
print(in_child(exhaust))`,
    refused: /^(EMFILE|ENFILE|ENOMEM|)$/,
    neighbour: "print(os.open('/dev/null', 0) > 0)",
    permitted: "True",
  },
];

/** All of them. */
export const ATTEMPTS: readonly Attempt[] = [...CALLS, ...NETWORK, ...FILES, ...PROGRAMS];
