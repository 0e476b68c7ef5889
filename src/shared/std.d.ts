/** Types of the few functions of `@std` that are used here; the npm build ships none. */
declare module "@std/assert" {
  export function assert(expr: unknown, msg?: string): asserts expr;
  export function assertEquals<T>(actual: T, expected: T, msg?: string): void;
  export function assertStrictEquals<T>(
    actual: unknown,
    expected: T,
    msg?: string,
  ): asserts actual is T;
  export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void;
  export function assertMatch(actual: string, expected: RegExp, msg?: string): void;
  export function assertNotMatch(actual: string, expected: RegExp, msg?: string): void;
  export function assertStringIncludes(actual: string, expected: string, msg?: string): void;
  export function assertThrows<E extends Error = Error>(
    fn: () => unknown,
    // deno-lint-ignore no-explicit-any
    errorClass?: new (...args: any[]) => E,
    msgIncludes?: string,
    msg?: string,
  ): E;
  export function assertRejects<E extends Error = Error>(
    fn: () => PromiseLike<unknown>,
    // deno-lint-ignore no-explicit-any
    errorClass?: new (...args: any[]) => E,
    msgIncludes?: string,
    msg?: string,
  ): Promise<E>;
  export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T>;
  export function assertLess<T>(actual: T, expected: T, msg?: string): void;
  export function assertLessOrEqual<T>(actual: T, expected: T, msg?: string): void;
  export function assertGreater<T>(actual: T, expected: T, msg?: string): void;
  export function fail(msg?: string): never;
}

declare module "@std/async/abortable" {
  export function abortable<T>(p: Promise<T>, signal: AbortSignal): Promise<T>;
}

declare module "@std/path/dirname" {
  export function dirname(path: string): string;
}

declare module "@std/path/posix/is-absolute" {
  export function isAbsolute(path: string): boolean;
}

declare module "@std/path/posix/join" {
  export function join(path: string, ...paths: string[]): string;
}

declare module "@std/path/windows/basename" {
  export function basename(path: string): string;
}

declare module "@std/path/windows/is-absolute" {
  export function isAbsolute(path: string): boolean;
}

declare module "@std/path/windows/join" {
  export function join(path: string, ...paths: string[]): string;
}

declare module "@std/text/levenshtein-distance" {
  export function levenshteinDistance(str1: string, str2: string): number;
}
