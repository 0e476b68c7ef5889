/** Argument by which the compiled program knows that it is to be the child of the embedded engine. */
export const CHILD_COMMAND = "__wasm-child";
