import { readJsonFile, readTextFile, withoutMarks } from '../input-file.ts';
import { EXIT, failError, parsed, usageError } from '../exit.ts';
import { isDay, isPromiseSigned, parsePromise, PromiseError, promiseWords } from '@svc/protocol';
import type { PromiseFields } from '@svc/protocol';
import { checkPromise, type KeptPromise, type PromiseCheck, type PromisedEtch } from '@svc/verifier';
import { publicFieldsOf } from '@svc/sdk';
import { type InputOf, many, read } from '../command.ts';
import * as parse from '../options.ts';
import { publicEtchAt } from '../service-requests.ts';
import type { VerifiedReceipt, Proof } from './proof.ts';
import type { OpenedEtch } from '@svc/verifier/answers';
import type { Known } from '../find-trust.ts';

const options = {
  '--promise <file>': 'check the promise that svc etch --save wrote',
  '--promise-nonce <hex>': read(parse.nonce, 'the nonce of the promise, if the file does not have it'),
  '--promise-content <file>': 'the text that was sent, if the promise file does not have it',
  '--promise-key <hex>': many('trusted promise key; may be repeated', parse.publicKey),
};
type PromiseOptions = Omit<InputOf<typeof options>, 'promiseKey'>;

export const promise: Proof<typeof options> = {
  field: 'promise',
  title: 'The promise',
  options,
  async check(found, { promiseKey: flags }) {
    const { promised, receipt, service, verification, known } = found;
    if (promised === null) return null;
    const shown = service === null ? undefined : await publicEtchAt(service, receipt.etch_id);
    // The day in a file is unsigned: only the answer of the service may decide against it.
    const day: unknown = service === null ? promised.createdOn : shown?.created_on;
    const createdOn = isDay(day) ? day : undefined;
    const publicFields = shown && publicFieldsOf(shown);
    const etch = { state: 'found', receipt, verification, createdOn, publicFields } as const;
    return judgePromise(promised, etch, service, known, flags);
  },
  notes: ({ promised, known }, { promiseKey: flags }) => (promised === null ? [] : keyNotes(known, flags)),
};

interface ReadPromise extends NonNullable<VerifiedReceipt['promised']> {
  fields: PromiseFields;
}

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

/** By the reader, or by a service that the reader named or pinned. */
const ownKeys = ({ named, pin }: Known, flags: readonly string[]) =>
  flags.length > 0 ? flags : (named?.facts.promiseKeys ?? pin?.promiseKeys);

/** Keys that only the service names are not pinned. */
export const keyNotes = (known: Known, flags: readonly string[]): string[] =>
  (ownKeys(known, flags) === undefined ? (known.facts?.promiseKeys ?? []) : []).map(
    (key) => `promise key ${key} comes from the service, not from you; pin it with --promise-key`,
  );

export function judgePromise(
  kept: KeptPromise,
  etch: Omit<Extract<PromisedEtch, { state: 'found' }>, 'pinned'> | { state: 'missing' },
  service: string | null,
  known: Known,
  flags: readonly string[],
): PromiseCheck {
  const { named, pin, facts } = known;
  const own = ownKeys(known, flags);
  const originKeys = [
    ...(pin?.promiseKeys ?? []),
    ...(service !== null && named?.origin === service ? named.facts.promiseKeys : []),
  ];
  const pinned = service !== null && originKeys.includes(kept.promise.public_key);
  const trust = { keys: own ?? facts?.promiseKeys ?? [], pinned: own !== undefined };
  return checkPromise(kept, trust, { ...etch, pinned }, Date.now());
}
