/** The host as a file of Python's: cheaper than a call from one language into the other. */
import type { PyodideAPI } from "pyodide/pyodide.mjs";

const PATH = "/dev/host";

/** What the file is made of. */
export interface HostFile {
  /** Waits for bytes and gives their number. */
  read(into: Uint8Array): number;
  write(bytes: Uint8Array): void;
}

/** Pyodide with its memory, which its types leave out. */
export interface WithMemory extends PyodideAPI {
  _module: {
    HEAPU8: Uint8Array;
    /** Where C has the addresses of the names of the local time zone, without and with summer time. */
    _tzname: number;
  };
}

/** Opens the file and gives its number. */
export function openHostFile({ FS, _module }: WithMemory, host: HostFile): number {
  // A new view each time: the memory moves when it grows.
  const memory = (address: number, size: number) =>
    _module.HEAPU8.subarray(address, address + size);
  // The next number that is free: `/dev/random` and others have the first ones.
  const device = FS.makedev(FS.createDevice.major++, 0);
  FS.registerDevice(device, {
    read: (_stream: unknown, _heap: unknown, address: number, size: number) =>
      host.read(memory(address, size)),
    write(_stream: unknown, _heap: unknown, address: number, size: number) {
      host.write(memory(address, size));
      return size;
    },
  });
  FS.mkdev(PATH, 0o600, device);
  const { fd } = FS.open(PATH, "r+");
  FS.unlink(PATH);
  return fd;
}
