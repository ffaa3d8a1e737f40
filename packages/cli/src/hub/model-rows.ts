// One row for each model: its account, the rounds without a file, and whether the account's record has etches that the hub does not list.
import { join } from 'node:path';
import { readWords } from '@svc/protocol/conventions';
import { auditIndexed, recordPages } from '../audit/index-command.ts';
import { auditClient, chooseAuditTrust, resultOf } from '../audit/job.ts';
import { configFolder } from '../config-folder.ts';
import { type Context, makeProgress } from '../context.ts';
import { CommandError } from '../exit.ts';
import { readAudited } from '../score/audited-data.ts';
import { serviceFactsAt } from '../service-requests.ts';
import { clientOf } from '../session.ts';
import { type Result, resultUnder } from '../verdict-words.ts';
import type { CheckOptions, FileRow } from './file-row.ts';
import type { JudgedEntry } from './judge-entry.ts';
import type { Hub } from './read-hub.ts';

export interface ModelRow {
  model: string;
  accounts: string[];
  onTime: number;
  files: number;
  /** rounds of other models since the model's first file */
  missing: string[];
  record: string;
  result: Result;
}

interface Account {
  username: string;
  user_id: string;
}

interface Whole {
  result: Result;
  detail: string;
  /** contents of the account's public etches, by id */
  contents: Map<string, string>;
}

export async function modelRows(
  hub: Hub,
  judged: readonly { row: FileRow; entries: JudgedEntry[] }[],
  options: CheckOptions,
  context: Context,
): Promise<ModelRow[]> {
  const accountsOf = (model: string): Account[] => [
    ...new Map(
      judged
        .filter(({ row }) => row.model === model)
        .flatMap(({ entries }) => entries)
        .filter(({ result, author }) => result !== 'fail' && author !== null)
        .map(({ author }) => [author!.user_id, author!]),
    ).values(),
  ];
  const models = [...new Set(judged.map(({ row }) => row.model))].sort();
  const accounts = [
    ...new Map(models.flatMap(accountsOf).map((account) => [account.user_id, account])).values(),
  ];
  const whole =
    accounts.length === 0 ? new Map<string, Whole>() : await readWhole(accounts, options, context);
  const listed = new Set(judged.flatMap(({ entries }) => entries.map(({ etch }) => etch)));
  const rounds = [...new Set(judged.map(({ row }) => row.round))].sort();
  return models.map((model) => {
    const rows = judged.map(({ row }) => row).filter((row) => row.model === model && row.file !== '');
    const own = new Set(rows.map(({ round }) => round));
    const first = [...own].sort()[0] ?? '';
    const by = accountsOf(model);
    return {
      model,
      accounts: by.map(({ username }) => username),
      onTime: rows.filter(({ state }) => state === 'on time').length,
      files: rows.length,
      missing: rounds.filter((round) => round > first && !own.has(round)),
      ...recordWords(
        hub,
        model,
        by.map(({ user_id: id }) => whole.get(id)),
        { listed, options },
      ),
    };
  });
}

function recordWords(
  hub: Hub,
  model: string,
  found: readonly (Whole | undefined)[],
  { listed, options }: { listed: ReadonlySet<string>; options: CheckOptions },
): Pick<ModelRow, 'record' | 'result'> {
  const [first, ...more] = found;
  if (options.record === 'none') return { record: 'not checked', result: 'pass' };
  if (first === undefined) return { record: 'no account is proven', result: 'wait' };
  if (more.length > 0) return { record: 'etches of several accounts', result: 'fail' };
  const others = [...first.contents].flatMap(([id, content]) => {
    const words = readWords(content);
    return words.kind === 'hub' && words.hub === hub.name && !listed.has(id) ? [{ id, ...words }] : [];
  });
  // With a filter, the rows are not the whole hub.
  const unlisted = options.round === undefined ? others.filter((one) => one.model === model) : [];
  const renamed = [...new Set(others.filter((one) => one.model !== model).map((one) => one.model))];
  if (unlisted.length > 0)
    return {
      record: `not whole: the hub does not list ${unlisted.map(({ id, round }) => `etch ${id} of round ${round}`).join(', ')}`,
      result: 'fail',
    };
  const note =
    renamed.length > 0 && options.model === undefined
      ? `; the account etched also as ${renamed.join(', ')}`
      : '';
  return { record: `${first.detail}${note}`, result: first.result };
}

async function readWhole(
  accounts: readonly Account[],
  options: CheckOptions,
  context: Context,
): Promise<Map<string, Whole>> {
  const { origin } = clientOf(options, context);
  if (options.record === 'none') return new Map();
  if (options.record === 'index') {
    const found = new Map<string, Whole>();
    for (const account of accounts)
      found.set(account.user_id, await readByIndex(account, origin, options, context));
    return found;
  }
  const facts = await serviceFactsAt(origin);
  const { data, report, reason } = await readAudited(
    auditClient(origin),
    { accounts: [...accounts], challenges: [] },
    {
      openTrust: () => chooseAuditTrust(options, origin, facts, context),
      progress: makeProgress(context),
      parallel: options.parallel,
    },
  );
  const whole = accounts.map(({ user_id: id }): [string, Whole] => {
    const etches = data.etches.filter(({ author }) => author.user_id === id);
    const contents = new Map(etches.map((etch) => [etch.id, etch.content ?? '']));
    if (report === null) return [id, { result: 'wait', detail: `not audited: ${reason}`, contents }];
    const own = report.findings.accounts.filter(({ user_id: of }) => of === id);
    const result = resultUnder(report.condition, resultOf({ ...report.findings, accounts: own }));
    const detail = {
      pass: 'whole, by audit',
      fail: 'NOT WHOLE, by audit',
      wait: 'not proven whole, by audit',
    }[result];
    return [id, { result, detail, contents }];
  });
  return new Map(whole);
}

async function readByIndex(
  { username }: Account,
  origin: string,
  options: CheckOptions,
  context: Context,
): Promise<Whole> {
  const contents = new Map<string, string>();
  try {
    const path = join(configFolder(context.env), 'hub');
    const given = { ...options, username, index: true, fresh: false };
    const { status } = await auditIndexed(given, { origin, path }, context);
    for await (const etches of recordPages(auditClient(origin), username))
      for (const { id, content } of etches) contents.set(id, content ?? '');
    const result = (['pass', 'fail', 'wait'] as const)[status ?? 2] ?? 'wait';
    const detail = {
      pass: 'whole, by the index',
      fail: 'NOT WHOLE, by the index',
      wait: "whole only by the operator's index",
    }[result];
    return { result, detail, contents };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { result: 'wait', detail: `not checked: ${error.message}`, contents };
  }
}
