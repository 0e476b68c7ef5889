/** Sockets, and what they would reach. */
import { type Attempt, NO_CALL } from "./attempt.ts";

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

/** Families first, then addresses. */
export const NETWORK_ATTEMPTS: Attempt[] = [
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
