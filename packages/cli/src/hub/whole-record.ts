// Whether the records of accounts leave nothing out, by an audit of all trees or by the index of accounts.
import type { Etch } from '@svc/sdk';
import { boundParts } from '@svc/verifier';
import { type Account, findAccount } from '../audit/audit-accounts.ts';
import { auditIndexed } from '../audit/index-command.ts';
import { auditClient, chooseAuditTrust, resultOf, sha256 } from '../audit/job.ts';
import { hostPath } from '../config-folder.ts';
import { type Context, makeProgress } from '../context.ts';
import { CommandError } from '../exit.ts';
import type { Known } from '../find-trust.ts';
import { readAudited } from '../score/audited-data.ts';
import { clientWithoutKey, readErrorOf, requireServiceAt } from '../service-requests.ts';
import { clientOf } from '../session.ts';
import { type Result, resultUnder } from '../verdict-words.ts';
import type { CheckOptions } from './check-options.ts';

export interface Whole {
  result: Result;
  detail: string;
  /** content of each etch of the account, by id; null: its words are not public */
  etches: Map<string, Pick<Etch, 'status' | 'content'>>;
}

const DETAILS: Record<Result, string> = { pass: 'whole', fail: 'NOT WHOLE', wait: 'not proven whole' };

/** By user id. */
export async function readWhole(
  accounts: readonly Account[],
  options: CheckOptions,
  context: Context,
): Promise<Map<string, Whole>> {
  const found = new Map<string, Whole>();
  if (options.record === 'none' || accounts.length === 0) return found;
  const { origin } = clientOf(options, context);
  try {
    const facts = await requireServiceAt(origin);
    if (options.record === 'audit') await readByAudit(found, accounts, { origin, facts }, options, context);
    else for (const account of accounts) await readByIndex(found, account, origin, options, context);
  } catch (caught) {
    const error = readErrorOf(caught, origin);
    if (!(error instanceof CommandError)) throw error;
    const how = options.record === 'index' ? 'the index' : 'audit';
    const detail = `${DETAILS.wait}, by ${how}: ${error.message}`;
    for (const { user_id: id } of accounts)
      if (!found.has(id)) found.set(id, { result: 'wait', detail, etches: new Map() });
  }
  return found;
}

async function readByAudit(
  found: Map<string, Whole>,
  accounts: readonly Account[],
  { origin, facts }: { origin: string; facts: Known['facts'] },
  options: CheckOptions,
  context: Context,
): Promise<void> {
  const target = { accounts: [...accounts], challenges: [] };
  const { data, report, reason } = await readAudited(auditClient(origin), target, {
    openTrust: () => chooseAuditTrust(options, origin, facts, context),
    progress: makeProgress(context),
    parallel: options.parallel,
  });
  for (const { user_id: id } of accounts) {
    const own = data.etches.filter(({ author }) => author.user_id === id);
    const etches = new Map(own.map((etch) => [etch.id, etch]));
    const compared = report?.findings.accounts.filter(({ user_id: of }) => of === id) ?? [];
    const result =
      report === null
        ? 'wait'
        : resultUnder(report.condition, resultOf({ ...report.findings, accounts: compared }));
    const why = reason === null ? '' : `: ${reason}`;
    found.set(id, { result, detail: `${DETAILS[result]}, by audit${why}`, etches });
  }
}

async function readByIndex(
  found: Map<string, Whole>,
  { username, user_id: id }: Account,
  origin: string,
  options: CheckOptions,
  context: Context,
): Promise<void> {
  const named = await findAccount({ client: clientWithoutKey(origin) }, username);
  // Nothing proves the name in a receipt: audit only the account that the receipt proves.
  const etches: Whole['etches'] = new Map();
  if (named.user_id !== id) {
    const detail = `${DETAILS.wait}, by the index: at ${origin} the name ${username} is of account ${named.user_id}`;
    return void found.set(id, { result: 'wait', detail, etches });
  }
  const place = {
    origin,
    path: hostPath('hub', origin, context),
    onEtches: (page: readonly Etch[]) => {
      for (const { id: of, status, ...etch } of page)
        etches.set(of, { status, content: boundParts(etch, sha256)?.content ?? null });
    },
  };
  const given = { ...options, username, index: true, fresh: false };
  const { status } = await auditIndexed(given, place, context);
  const result = (['pass', 'fail', 'wait'] as const)[status ?? 2] ?? 'wait';
  found.set(id, { result, detail: `${DETAILS[result]}, by the index`, etches });
}
