import { readFile } from 'node:fs/promises';
import { isDay, parsePromise, parsePromiseV2, PROMISE_V2_TAG, PromiseError } from '@svc/protocol';
import type { PromiseParts, SignedPromise } from '@svc/protocol';
import type { PromiseTrust } from '@svc/verifier';
import { CommandError, EXIT } from './exit.ts';
import { parseJson } from './parse-json.ts';

export interface ReadPromise {
  promise: SignedPromise;
  parts: PromiseParts;
  /** the etch's day, where the answer that carried the promise is there */
  createdOn: string | undefined;
  /** does it cover what stands beside the words? */
  coversBeside: boolean;
}

/**
 * Reads a promise, or the whole answer that carried it; of version 2 where the file holds one.
 * @throws {CommandError}
 */
export async function readPromise(path: string): Promise<ReadPromise> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(EXIT.input, `${path} cannot be read (${error.code})`);
  });
  const value = parseJson(bytes) as
    | { promise?: unknown; promise_v2?: unknown; text?: unknown; etch?: { created_on?: unknown } }
    | null
    | undefined;
  if (value === undefined) throw new CommandError(EXIT.input, `${path} is not JSON`);
  try {
    const day = value?.etch?.created_on;
    const createdOn = isDay(day) ? day : undefined;
    const second = value?.promise_v2 ?? (isVersion2(value?.text) ? value : undefined);
    if (second === undefined)
      return { ...parsePromise(value?.promise ?? value), createdOn, coversBeside: false };
    const { promise, parts } = parsePromiseV2(second);
    return { promise, parts, createdOn, coversBeside: true };
  } catch (error) {
    if (error instanceof PromiseError)
      throw new CommandError(EXIT.fail, `FAIL: not a valid promise: ${error.message}`);
    throw error;
  }
}

const isVersion2 = (text: unknown): boolean => typeof text === 'string' && text.startsWith(PROMISE_V2_TAG);

/** Whose promises count: flags, else what `--trust` names, else what was pinned; what the service names now pins nothing. */
export function choosePromiseTrust(
  flags: readonly string[],
  named: readonly string[] | null,
  pinned: readonly string[] | null,
  service: readonly string[] | null,
): { trust: PromiseTrust; notes: string[] } {
  const own = flags.length > 0 ? flags : (named ?? pinned);
  if (own !== null) return { trust: { keys: own, pinned: true }, notes: [] };
  const keys = service ?? [];
  const notes = keys.map((key) => `promise key ${key} is what the service says; pin it with --promise-key`);
  return { trust: { keys, pinned: false }, notes };
}
