import { command, flag, type InputOf, otherwise, read } from '../command.ts';
import { type Context, makeProgress, say, type Shown } from '../context.ts';
import { ChainUnreadable } from '@svc/verifier';
import { auditAccounts, findAccount } from '../audit/audit-accounts.ts';
import { auditKeptLog, logResult } from '../audit/audit-log.ts';
import { auditIndexRoots } from '../audit/audit-roots.ts';
import { auditIndexed, INDEX_WITNESS } from '../audit/index-command.ts';
import { watchLog } from '../audit/watch-log.ts';
import {
  auditClient,
  type AuditJob,
  type AuditTrust,
  chooseAuditTrust,
  emptyChainSide,
} from '../audit/job.ts';
import { auditJson, auditLines, auditResult } from '../audit/print-audit.ts';
import { requireServiceAt } from '../service-requests.ts';
import { TRUST } from '../find-trust.ts';
import { resultUnder, worstResult } from '../verdict-words.ts';
import { checkedEtch } from '../verify/checked-etch.ts';
import { findScope, judgeScope } from '../audit/audit-scope.ts';
import { hostPath } from '../config-folder.ts';
import { EXIT, usageError, waitError } from '../exit.ts';
import { usernameOf } from '../find-named.ts';
import { blockNumber, count, SERVICE } from '../options.ts';
import { clientOf } from '../session.ts';
import { auditAll, type WholeFindings } from '../audit/audit-all.ts';
import { dropState, loadState, newState, saveState } from '../audit/audit-state.ts';

const INPUT = {
  ...SERVICE,
  ...TRUST,
  '[username]': 'the account: a username, or its url',
  '--all': flag('the whole service: every tree, every account'),
  '--scope <etch>': 'the accounts that this etch declares (svc-scope:v1): receipt file, id, code or url',
  '--index': flag(
    "the account by the service's index of accounts: reads only its own entries, not the leaves of every tree",
  ),
  '--policy <file>': 'with --index: the log and the witnesses that you trust (C2SP tlog-policy)',
  ...INDEX_WITNESS,
  '--from-block <number>': read(
    blockNumber,
    'first block to read (default: the block that registered the schema, if the endpoint returns it; else 0)',
  ),
  '--parallel <number>': otherwise(4, read(count, 'concurrent requests to the service')),
  '--state <file>':
    'the file for the progress and the results of --all; the checkpoint of the log is kept next to it (default: in the folder of the profiles)',
  '--fresh': flag('with --all: ignore earlier results'),
  '--watch': flag(
    'compare the log of trees of a pinned service with the chain until a fork, a missing tree or a broken promise is found',
  ),
  '--every <seconds>': otherwise(60, read(count, 'with --watch: the time between two rounds')),
};
type AuditOptions = InputOf<typeof INPUT>;

export const auditCommand = command('audit', 'check against the chain that a record is complete', {
  input: INPUT,
  examples: [
    'svc trust https://svc.example.org',
    'svc audit ada',
    'svc audit ada --rpc https://rpc.example.org --trust svc.json --json',
    'svc audit ada --index         # only the entries of ada, by the index of accounts',
    'svc audit --scope abc234      # every account that the author declared',
    'svc audit --all               # the whole service; the next audit reuses the results',
    'svc audit --watch             # compare the log of trees with the chain every minute',
  ],
  below: `
Exit status:
  ${EXIT.pass}   the record has every leaf on the chain, unchanged, under trust that you supplied: flags, --trust or a pin (svc trust);
      with --index, also only if a witness of --index-witness cosigned the checkpoint
  ${EXIT.fail}   something is missing or different; the report names it
  ${EXIT.wait}   unproven: leaves, the chain or a record cannot be read now;
      or the result depends on a value that you did not supply: the last line names it`,
  run: audit,
});

async function audit(options: AuditOptions, context: Context): Promise<Shown | void> {
  const { username } = options;
  const subjects = [username !== undefined, options.all, options.scope !== undefined, options.watch];
  if (subjects.filter(Boolean).length !== 1)
    throw usageError('name one account, or use --scope, --all for the whole service, or --watch for its log');
  const { origin } = clientOf(options, context);
  const path = options.state ?? `${hostPath('audit', origin, context)}.json`;
  const firstBlock = async ({ reader }: Pick<AuditJob, 'reader'>): Promise<number> =>
    options.fromBlock ?? reader.firstBlock(await reader.head());
  const note = (text: string) => say(context, text);
  const openTrust = () => trustOf(options, origin, context);
  const { every, json, parallel } = options;
  if (options.index || options.policy !== undefined || options.indexWitness.length > 0)
    return auditIndexed(options, { origin, path }, context);
  if (options.watch)
    return watchLog(origin, openTrust, { every, json, path: `${path}.log`, firstBlock }, context);
  const { chosen, trust, reader, condition, notes, logKeys: keys } = await openTrust();
  const progress = makeProgress(context);
  const job: AuditJob = { client: auditClient(origin), trust, reader, progress, parallel, note };
  try {
    const etch = options.scope === undefined ? null : await checkedEtch(options.scope, options, context);
    const found = etch && (await findScope(job, etch));
    if (found) job.watch = (one) => found.scopes.add(one);
    const accounts =
      found?.accounts ??
      (username === undefined ? null : [await findAccount(job, usernameOf(username, origin))]);
    const findings =
      accounts === null
        ? await auditKept(job, { path, fresh: options.fresh, firstBlock: () => firstBlock(job), note })
        : await auditAccounts(job, accounts, emptyChainSide(await firstBlock(job)));
    const { fresh } = options;
    const audited =
      keys.length === 0
        ? null
        : await auditKeptLog(`${path}.log`, {
            service: origin,
            keys,
            trust: job.trust,
            fresh,
            trees: findings.side.trees.trees,
            now: Date.now() / 1000,
          });
    const log =
      audited === null || !options.all
        ? audited
        : await auditIndexRoots(audited, { service: origin, path: `${path}.map`, fresh, progress });
    progress.clear();
    const result = resultUnder(condition, auditResult(findings));
    found?.faults.push(...(log?.faults ?? []).map((fault) => `the log of trees: ${fault}`));
    const logged = logResult(log);
    const worst = worstResult([...(etch === null ? [] : [etch.result]), result, logged]);
    const scope = found && (await judgeScope(found, worst, { trust: chosen.trust, service: origin }));
    const report = { service: origin, findings, chosen, condition, notes, log, scope };
    const status = EXIT[scope?.result ?? worst];
    return { value: auditJson(report), words: auditLines(report), status };
  } catch (error) {
    progress.clear();
    if (!(error instanceof ChainUnreadable)) throw error;
    throw waitError(`unproven: ${error.message}; the record was not audited`);
  }
}

async function trustOf(options: AuditOptions, origin: string, context: Context): Promise<AuditTrust> {
  const facts = await requireServiceAt(origin);
  const trust = await chooseAuditTrust(options, origin, facts, context);
  if (trust.logKeys.length > 0 || (facts?.logKeys.length ?? 0) === 0) return trust;
  const note = `the log of trees was not audited, because you have not pinned its key: run svc trust ${origin}`;
  return { ...trust, notes: [...trust.notes, note] };
}

interface KeptOptions {
  path: string;
  fresh: boolean;
  firstBlock: () => Promise<number>;
  note?: (text: string) => void;
}

export async function auditKept(
  job: AuditJob,
  { path, fresh, firstBlock, note }: KeptOptions,
): Promise<WholeFindings> {
  const { origin } = job.client;
  const kept = fresh ? null : loadState(path, origin, job.trust);
  if (kept !== null)
    note?.(
      kept.ended
        ? `reusing the results since ${kept.since} in ${path}; --fresh audits everything again`
        : `continuing the audit in ${path}; --fresh starts again`,
    );
  const state = kept ?? newState(emptyChainSide(await firstBlock()));
  // The chain may have changed since.
  if (state.ended) state.side = emptyChainSide(await firstBlock());
  let last = state;
  const findings = await auditAll(job, state, (now) => saveState(path, origin, job.trust, (last = now)));
  if (auditResult(findings) === 'fail') dropState(path);
  else saveState(path, origin, job.trust, { ...last, ended: true });
  return findings;
}
