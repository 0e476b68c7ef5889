/** Programs of its own, other processes, and limits. */
import type { Attempt } from "./attempt.ts";

const MODULE = `name = "_decimal"
import importlib.util, glob
library = next(iter(glob.glob("/lib/*/libc.so.6") + glob.glob("/usr/lib/*/libc.so.6")))`;
const RUNS = 'print(subprocess.run([sys.executable, "-c", ""]).returncode)';

/** Running, harming, raising. */
export const PROGRAM_ATTEMPTS: Attempt[] = [
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
