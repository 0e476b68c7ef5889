/**
 * What a sandbox needs of a tool to take calls and to show them, worked out here so that no schema is read
 * there. Pure; bounded in length, whatever the schema unfolds to. `signatures.py` in `runtime/python/` takes it.
 */
import { describeParameters, type Parameter, restName, writeUnpacked } from "./parameters.ts";
import { sign, type SignedTool, writeSignature } from "./signature.ts";

/** One parameter. */
export interface ParameterSpec {
  /** The name that the server knows. */
  name: string;
  /** The name that code writes, where it is another one; null where it can only be passed in a dict. */
  label?: string | null;
  /** Absent where nothing is known of it, or without a label. */
  type?: string;
  required?: true;
  /** Whether a call can give it without its name. */
  positional?: true;
  default?: unknown;
}

/** How a tool is called. */
export interface CallSpec {
  /** In the order of the signature. */
  parameters: ParameterSpec[];
  /** Whether other arguments are welcome. */
  open: boolean;
  /** The parameter that takes what has no label of its own, such as `arguments: Unpack[{"x-y": str}]`. */
  rest?: string;
  /** The type of the result, if it is known. */
  returns?: string;
  /** Lines of the docstring on parameters. */
  notes: string[];
}

/** Most text of types, defaults and notes of one tool: a schema of a few lines can unfold to much. */
const MAX_CHARS = 10_000;

/** A tool's signature as one line, and what a call of it is checked by; `maxChars` are left for its types. */
export function toCallSpec(
  tool: SignedTool,
  maxChars: number = MAX_CHARS,
): { signature: string; call: CallSpec; chars: number } {
  const signed = sign(tool);
  const { all, isOpen } = signed.parameters;
  const most = Math.min(maxChars, MAX_CHARS);
  let room = most;
  const fits = (text: string) => {
    if (text.length > room) return false;
    room -= text.length;
    return true;
  };
  const parameters = all.map((one): ParameterSpec => {
    const { name, label, type, isRequired, isPositional, initial } = one;
    const isTyped = label !== undefined && type !== "Any" && fits(type);
    const hasDefault = !isRequired && initial !== undefined && fits(JSON.stringify(initial));
    return {
      name,
      ...(label !== name && { label: label ?? null }),
      ...(isTyped && { type }),
      ...(isRequired && { required: true }),
      ...(isPositional && { positional: true }),
      ...(hasDefault && { default: initial }),
    };
  });
  const rest = writeRest(all, isOpen, fits);
  const returns = signed.result !== "Any" && fits(signed.result) ? signed.result : undefined;
  const notes = describeParameters(all.filter(({ label }) => label !== undefined)).filter(fits);
  return {
    signature: writeSignature(tool, signed),
    call: {
      parameters,
      open: isOpen,
      ...(rest !== undefined && { rest }),
      ...(returns !== undefined && { returns }),
      notes,
    },
    chars: most - room,
  };
}

function writeRest(
  all: readonly Parameter[],
  isOpen: boolean,
  fits: (text: string) => boolean,
): string | undefined {
  const others = all.filter(({ label }) => label === undefined);
  if (others.length === 0) return isOpen ? restName(all) : undefined;
  const type = writeUnpacked(others);
  return fits(type) ? `${restName(all)}: Unpack[${type}]` : restName(all);
}
