/** Files of the host and of the kernel. */
import type { Attempt } from "./attempt.ts";

/** Keys of the kernel, devices, mounts. */
export const FILE_ATTEMPTS: Attempt[] = [
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
