/**
 * What keeps hostile code from the host.
 *
 * SECURITY: wasm boundary. `tests/security/wasm_wall_test.ts` tries to get past it with all of JavaScript.
 */

const PERMISSIONS = ["read", "write", "net", "env", "run", "sys", "ffi", "import"] as const;

/** Starts a worker that has no permission of its own; one of Deno's plain workers has those of its parent. */
export function startConfinedWorker(module: string): Worker {
  return new Worker(module, { type: "module", deno: { permissions: "none" } });
}

/** Gives up every permission of the process; one that cannot be given up ends it. */
export async function dropPermissions(): Promise<void> {
  for (const name of PERMISSIONS) {
    const { state } = await Deno.permissions.revoke({ name });
    if (state === "granted") throw new Error(`Cannot give up the "${name}" permission`);
  }
}
