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
export const NO_CALL = /^(ENOSYS|EPERM)$/;
