// `svc audit <name> --index`
import { isUuid } from '@svc/protocol';
import type { Policy } from '@svc/protocol/tlog';
import { rpcChain } from '@svc/verifier';
import { requireServiceAt } from '../service-requests.ts';
import { type Context, makeProgress, type Shown } from '../context.ts';
import { EXIT, inputError, usageError } from '../exit.ts';
import { usernameOf } from '../find-named.ts';
import type { TrustOptions } from '../find-trust.ts';
import { readPolicy } from '../judge-log.ts';
import { findAccount } from './audit-accounts.ts';
import { auditByIndex } from './audit-index.ts';
import { auditClient, chooseReaderTrust } from './job.ts';
import { finalResult, indexJson, indexLines } from './print-index.ts';

interface IndexOptions extends TrustOptions {
  username?: string | undefined;
  index: boolean;
  policy?: string | undefined;
  indexWitness: string[];
  parallel: number;
  fresh: boolean;
}

/** @param at.path of the state of other audits, in whose folder the state of this one is */
export async function auditIndexed(
  options: IndexOptions,
  { origin, path }: { origin: string; path: string },
  context: Context,
): Promise<Shown> {
  const { username, parallel, fresh } = options;
  if (!options.index || username === undefined)
    throw usageError('--index requires one account: svc audit <username> --index; --policy requires --index');
  const policy = await policyOf(options);
  const facts = await requireServiceAt(origin);
  const { chosen, trust, endpoint, condition, notes, logKeys } = await chooseReaderTrust(
    options,
    origin,
    facts,
    context,
  );
  const keys = [...logKeys, ...(policy?.logs ?? []).map(({ key }) => key)];
  if (keys.length === 0) throw usageError(`no key of the log is pinned: run svc trust ${origin}`);
  const client = auditClient(origin);
  const account = await findAccount({ client }, usernameOf(username, origin));
  if (!isUuid(account.user_id))
    throw inputError(`${origin} names the account ${username} without a uuid: it has another format`);
  const progress = makeProgress(context);
  const findings = await auditByIndex({
    ...{
      service: origin,
      client,
      account,
      userId: account.user_id,
      path: `${path}.index-${account.user_id}`,
    },
    ...{ keys, policy, indexWitnesses: options.indexWitness, fresh, now: Date.now() / 1000 },
    ...{ trust, chain: endpoint && rpcChain(endpoint), parallel, progress },
  });
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

async function policyOf({ policy: path, indexWitness }: IndexOptions): Promise<Policy | null> {
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
