import { readFile } from 'node:fs/promises';
import { parsePromise, PromiseError } from '@svc/protocol';
import type { PromiseParts, SignedPromise } from '@svc/protocol';
import type { PromiseTrust } from '@svc/verifier';
import { CommandError, EXIT } from './exit.ts';
import { parseJson } from './parse-json.ts';

/**
 * Reads a promise, or the whole answer that carried it.
 * @throws {CommandError}
 */
export async function readPromise(path: string): Promise<{ promise: SignedPromise; parts: PromiseParts }> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(EXIT.input, `${path} cannot be read (${error.code})`);
  });
  const value = parseJson(bytes) as { promise?: unknown } | undefined;
  if (value === undefined) throw new CommandError(EXIT.input, `${path} is not JSON`);
  try {
    return parsePromise(value?.promise ?? value);
  } catch (error) {
    if (error instanceof PromiseError)
      throw new CommandError(EXIT.fail, `FAIL: not a valid promise: ${error.message}`);
    throw error;
  }
}

/** Whose promises count: flags, else what was pinned, else what the service names now. */
export function choosePromiseTrust(
  flags: readonly string[],
  pinned: readonly string[] | null,
  service: readonly string[] | null,
): { trust: PromiseTrust; notes: string[] } {
  if (flags.length > 0) return { trust: { keys: flags, pinned: true }, notes: [] };
  if (pinned !== null) return { trust: { keys: pinned, pinned: true }, notes: [] };
  const keys = service ?? [];
  const named = keys.map((key) => `promise key ${key} is what the service says; pin it with --promise-key`);
  return { trust: { keys, pinned: false }, notes: named };
}
