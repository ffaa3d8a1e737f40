import type { AuthorCheck, PromiseCheck } from '@svc/verifier';
import { factsAt, publicFieldsAt } from '../ask-service.ts';
import type { Context } from '../context.ts';
import type { FilesCheck } from '../files-check.ts';
import { judgeFiles } from '../files/judge-files.ts';
import { findAuthor } from '../find-author.ts';
import type { NamedTrust } from '../find-trust.ts';
import { judgePromise } from '../judge-promise.ts';
import { pinsPath, readPin } from '../pins.ts';
import type { ReadPromise } from '../promise-file.ts';
import type { Checked } from './check.ts';
import type { LoadedReceipt, MissingEtch } from './load.ts';
import type { VerifyOptions } from './options.ts';
import type { Trusted } from './trust.ts';

export interface JudgedPromise {
  check: PromiseCheck;
  notes: string[];
}

export interface Extras {
  author: AuthorCheck | null;
  promise: JudgedPromise | null;
  files: FilesCheck | null;
}

export async function checkExtras(
  { receipt, service, origin }: LoadedReceipt,
  { known }: Trusted,
  { verification, evidence }: Checked,
  promised: ReadPromise | null,
  options: VerifyOptions,
  output: Context,
): Promise<Extras> {
  const listing = known.pin === null || evidence !== null ? null : origin;
  const author = await findAuthor({ receipt, verification, options, origin: listing });
  const publicFields =
    promised !== null && service !== null ? await publicFieldsAt(service, receipt.etch_id) : undefined;
  const createdOn = promised?.createdOn;
  const found = { state: 'found', receipt, verification, createdOn, publicFields } as const;
  const promise = promised && judgePromise(promised, found, service, known, options.promiseKey);
  const files = options.files.length === 0 ? null : await judgeFiles(receipt, verification, options, output);
  return { author, promise, files };
}

export async function checkMissing(
  { origin, promise }: MissingEtch,
  named: NamedTrust | null,
  { promiseKey }: VerifyOptions,
  env: NodeJS.ProcessEnv,
): Promise<JudgedPromise> {
  const pin = readPin(pinsPath(env), origin);
  const facts = pin === null && named === null && promiseKey.length === 0 ? await factsAt(origin) : null;
  return judgePromise(promise, { state: 'missing' }, origin, { named, pin, facts }, promiseKey);
}
