import { textOfBytes } from '@svc/protocol';
import { parsePolicy, type Policy, TlogError } from '@svc/protocol/tlog';
import { EXIT, inputError, parsed } from './exit.ts';
import { readInput } from './input-file.ts';

/** The longest policy, and the longest proof of the log. */
export const MOST_BYTES = 200_000;

export async function readPolicy(path: string): Promise<Policy> {
  const text = await readShortText(path);
  const policy = parsed(() => parsePolicy(text), TlogError, path, EXIT.input);
  if (policy.logs.length > 0) return policy;
  throw inputError(
    `${path}: it names no log: add a line \`log <key>\`, with the key from /.well-known/svc.json`,
  );
}

export async function readShortText(path: string): Promise<string> {
  const bytes = await readInput(path);
  const text = bytes.length > MOST_BYTES ? null : textOfBytes(bytes);
  if (text === null) throw inputError(`${path} is not UTF-8 text of at most ${MOST_BYTES} bytes`);
  return text;
}
