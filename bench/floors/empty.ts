/** The floor: what Deno itself needs to start and end. */
