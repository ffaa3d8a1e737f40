// `svc audit <name> --index`
import { isUuid } from '@svc/protocol';
import { IndexError, parseIndexAnswer } from '@svc/protocol/account-index';
import type { Policy } from '@svc/protocol/tlog';
import { ApiError, type Client, ConnectionError, type Etch } from '@svc/sdk';
import { rpcChain } from '@svc/verifier';
import {
  auditByIndex,
  keysOfLog,
  KeptMismatch,
  logReader,
  LogUnread,
  readWholeIndex,
  tailWords,
} from '@svc/verifier/account-index';
import { many } from '../command.ts';
import { requireServiceAt } from '../service-requests.ts';
import { type Context, makeProgress, type Shown } from '../context.ts';
import { EXIT, inputError, parsed, reworded, usageError, waitError } from '../exit.ts';
import { usernameOf } from '../find-named.ts';
import type { TrustOptions } from '../find-trust.ts';
import { readPolicy } from '../policy-file.ts';
import { findAccount } from './audit-accounts.ts';
import { loadIndexState, saveIndexState } from './index-state.ts';
import { auditClient, chooseReaderTrust, sha256 } from './job.ts';
import { finalResult, indexJson, indexLines } from './print-index.ts';

export const INDEX_WITNESS = {
  '--index-witness <name>': many(
    'with --policy: a witness of the policy that recomputes the index of accounts, by its name there; may be repeated',
  ),
};

interface IndexOptions extends TrustOptions {
  username?: string | undefined;
  index: boolean;
  policy?: string | undefined;
  indexWitness: string[];
  parallel: number;
  fresh: boolean;
}

/**
 * @param at.path of the state of other audits, in whose folder the state of this one is
 * @param at.onEtches receives the audited record, page by page
 */
export async function auditIndexed(
  options: IndexOptions,
  { origin, path, onEtches }: { origin: string; path: string; onEtches?: (etches: Etch[]) => void },
  context: Context,
): Promise<Shown> {
  const { username, parallel, fresh } = options;
  if (!options.index || username === undefined)
    throw usageError('--index requires one account: svc audit <username> --index; --policy requires --index');
  const policy = await readIndexPolicy(options);
  const facts = await requireServiceAt(origin);
  const { chosen, trust, endpoint, condition, notes, logKeys } = await chooseReaderTrust(
    options,
    origin,
    facts,
    context,
  );
  const { host } = new URL(origin);
  const keys = keysOfLog(logKeys, policy, host);
  if (keys.length === 0)
    throw usageError(
      `no key of the log is pinned${policy === null ? '' : `, and the policy has no log ${host}/log`}: run svc trust ${origin}`,
    );
  const client = auditClient(origin);
  const account = await findAccount({ client }, usernameOf(username, origin));
  if (!isUuid(account.user_id))
    throw inputError(`${origin} names the account ${username} without a uuid: it has another format`);
  const progress = makeProgress(context);
  const state = `${path}.index-${account.user_id}`;
  const job = {
    log: logReader(`${origin}/log`),
    account,
    sha256,
    parallel,
    keys,
    policy,
    indexWitnesses: options.indexWitness,
    now: Date.now() / 1000,
    kept: loadIndexState(state),
    fresh,
    record: recordPages(client, account.username, onEtches),
    chain: endpoint && { reader: rpcChain(endpoint), trust },
    unread:
      'no endpoint of the chain is known, so the times of the etches were not checked; name one with --rpc',
    onPage: (etches: number) => progress.show(`record of ${account.username}`, etches, null),
    whyUnread,
  };
  const findings = await reworded(
    () => auditByIndex(job),
    KeptMismatch,
    (message) => usageError(`${state}: ${message}; name another file with --state, or move this one away`),
  );
  if (findings.index !== null) saveIndexState(state, findings.index.kept);
  progress.clear();
  const advice =
    options.indexWitness.length === 0
      ? [
          'name a witness that recomputes the index with --policy and --index-witness: only then can the audit pass',
        ]
      : [];
  const report = { service: origin, findings, chosen, condition, notes: [...notes, ...advice] };
  return { value: indexJson(report), words: indexLines(report), status: EXIT[finalResult(report)] };
}

const PAGE = 100;

/** An account whose record was removed has none. */
export async function* recordPages(
  client: Pick<Client, 'record'>,
  username: string,
  onEtches?: (etches: Etch[]) => void,
): AsyncGenerator<Etch[]> {
  try {
    for await (const { etches } of client.record(username, { limit: PAGE }).pages()) {
      onEtches?.(etches);
      yield etches;
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

/**
 * All answers for an account.
 * @returns `tail`: why a file with them proves less; null: nothing
 * @throws {CommandError} when they cannot be read now
 */
export async function readIndexOf(
  origin: string,
  userId: string,
): Promise<{ index: unknown[]; tail: string | null }> {
  const index = await readWholeIndex(logReader(`${origin}/log`), userId).catch((error: unknown) => {
    throw error instanceof LogUnread ? waitError(error.message) : error;
  });
  const tail = () => tailWords(parseIndexAnswer(index[0]));
  return { index, tail: parsed(tail, IndexError, `the index of ${origin}`, EXIT.wait) };
}

const whyUnread = (error: unknown): string | undefined =>
  error instanceof ApiError || error instanceof ConnectionError ? error.message : undefined;

/** @throws {CommandError} when it has no witness of a given name */
export async function readIndexPolicy({
  policy: path,
  indexWitness,
}: {
  policy?: string | undefined;
  indexWitness: readonly string[];
}): Promise<Policy | null> {
  if (path === undefined) {
    if (indexWitness.length === 0) return null;
    throw usageError('--index-witness requires --policy: a file that names the witness');
  }
  const policy = await readPolicy(path);
  const unknown = indexWitness.find((name) => !policy.witnesses.some((one) => one.name === name));
  if (unknown === undefined) return policy;
  const known = policy.witnesses.map(({ name }) => name).join(', ') || 'none';
  throw usageError(`--index-witness ${unknown}: ${path} has no witness of this name; it has: ${known}`);
}
