/** A variable of the environment as somebody asks for it by name, who may not be allowed to. */

/** Stands for a variable that the granted permissions do not cover: whether it is set is not known. */
export const DENIED: unique symbol = Symbol("denied");

/** Value of a variable; `undefined` when it is not set. */
export type Variable = string | undefined | typeof DENIED;

/** Looks up one variable; never throws. */
export type ReadVariable = (name: string) => Variable;
