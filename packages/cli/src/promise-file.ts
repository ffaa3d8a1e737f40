import { readJsonFile, readTextFile, withoutMarks } from './input-file.ts';
import { EXIT, failError, parsed, usageError } from './exit.ts';
import { isDay, isPromiseSigned, parsePromise, PromiseError, promiseWords } from '@svc/protocol';
import type { PromiseFields } from '@svc/protocol';
import { checkPromise, type KeptPromise, type PromiseCheck, type PromisedEtch } from '@svc/verifier';
import type { OpenedEtch } from '@svc/verifier/answers';
import type { VerifyOptions } from './verify-options.ts';
import type { Known } from './find-trust.ts';

export interface ReadPromise extends KeptPromise {
  fields: PromiseFields;
  /** in the file, unsigned */
  createdOn: string | undefined;
}

type PromiseOptions = Pick<VerifyOptions, 'promise' | 'promiseNonce' | 'promiseContent'>;

/** From `svc etch --save`, or the whole answer. Nonce and content come from flags, else from the file. */
export async function readPromise(options: PromiseOptions): Promise<ReadPromise | null> {
  const { promise: path, promiseNonce, promiseContent } = options;
  if (path === undefined) {
    if ((promiseNonce ?? promiseContent) !== undefined)
      throw usageError('--promise-nonce and --promise-content require --promise');
    return null;
  }
  const value = (await readJsonFile(path)) as {
    promise?: unknown;
    content?: unknown;
    etch?: { created_on?: unknown };
  } | null;
  const parse = () => parsePromise(value?.promise ?? value);
  const { promise, fields } = parsed(parse, PromiseError, 'FAIL: not a valid promise', EXIT.fail);
  const nonce = promiseNonce?.toLowerCase() ?? promise.nonce;
  const kept = typeof value?.content === 'string' ? value.content : undefined;
  const isAccepted = (text: string): boolean =>
    nonce !== undefined && promiseWords(nonce, text) === fields.words;
  const content =
    promiseContent === undefined ? kept : acceptedOf(await readTextFile(promiseContent), isAccepted);
  const day = value?.etch?.created_on;
  return { promise: { ...promise, nonce }, fields, content, createdOn: isDay(day) ? day : undefined };
}

export async function promisedOpening(path: string | undefined): Promise<OpenedEtch | undefined> {
  if (path === undefined) return undefined;
  const read = (await readPromise({ promise: path }))!;
  const { etchId: id, hash, revealAt } = read.fields;
  if (!isPromiseSigned(read.promise))
    throw failError(`FAIL: the signature of the promise in ${path} is not valid`);
  if (revealAt === null)
    throw usageError(`the promise in ${path} is for an instant etch, which has no opening`);
  return { id, hash, revealAt, signedBy: read.promise.public_key };
}

/** The whole file after `--exact`, else without its marks. */
const acceptedOf = (text: string, isAccepted: (text: string) => boolean): string =>
  isAccepted(text) ? text : withoutMarks(text);

/** Keys that only the service names are not pinned. */
export function judgePromise(
  kept: KeptPromise,
  etch: Omit<Extract<PromisedEtch, { state: 'found' }>, 'pinned'> | { state: 'missing' },
  service: string | null,
  { named, pin, facts }: Known,
  flags: readonly string[],
): { check: PromiseCheck; notes: string[] } {
  const own = flags.length > 0 ? flags : (named?.facts.promiseKeys ?? pin?.promiseKeys);
  const keys = own ?? facts?.promiseKeys ?? [];
  const originKeys = [
    ...(pin?.promiseKeys ?? []),
    ...(service !== null && named?.origin === service ? named.facts.promiseKeys : []),
  ];
  const pinned = service !== null && originKeys.includes(kept.promise.public_key);
  const trust = { keys, pinned: own !== undefined };
  const unpinned = own === undefined ? keys : [];
  return {
    check: checkPromise(kept, trust, { ...etch, pinned }, Date.now()),
    notes: unpinned.map(
      (key) => `promise key ${key} comes from the service, not from you; pin it with --promise-key`,
    ),
  };
}
