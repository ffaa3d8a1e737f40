import { present, when } from '../context.ts';
import type { AttestedTree, RecordCounts, RecordFault } from '@svc/verifier';
import type { Chosen } from '../find-trust.ts';
import { lastLines, resultUnder, trustJson, VERDICT_WORDS, worstResult } from '../verdict-words.ts';
import type { WholeFindings } from './audit-all.ts';
import { logResult } from './audit-log.ts';
import type { LogFindings } from './compare-log.ts';
import type { JudgedScope } from './audit-scope.ts';
import { type Findings, resultOf, type TreeOutcome } from './job.ts';
import type { KeptParts } from './audit-state.ts';

export interface AuditReport {
  service: string;
  findings: Findings | WholeFindings;
  chosen: Chosen;
  condition: string | null;
  notes: string[];
  log?: LogFindings | null;
  scope?: JudgedScope | null;
}

const wholeOf = (findings: Findings | WholeFindings): WholeFindings | null =>
  'accountsNamed' in findings ? findings : null;

export function auditResult(findings: Findings | WholeFindings): 'pass' | 'fail' | 'wait' {
  return (wholeOf(findings)?.differing ?? 0) > 0 ? 'fail' : resultOf(findings);
}

export const plural = (value: number, one: string, more = `${one}s`) =>
  `${value.toLocaleString('en-US')} ${value === 1 ? one : more}`;

export function auditLines(report: AuditReport): string[] {
  const { service, findings, chosen, condition, notes, log = null, scope = null } = report;
  const { side, outcomes, accounts, unread } = findings;
  const result = auditResult(findings);
  const states = [...outcomes.values()];
  const rebuilt = states.filter(({ outcome }) => outcome.state === 'rebuilt').length;
  const whole = wholeOf(findings);
  const heading =
    whole === null
      ? accounts
          .map(({ username, counts }) => {
            const leaves = plural(counts.leaves, 'leaf', 'leaves');
            const of = rebuilt === states.length ? leaves : `${leaves} in rebuilt trees only`;
            return `${username}: ${countWords(counts, of)}`;
          })
          .join('; ')
      : `${service}: ${plural(sum(findings), 'leaf', 'leaves')} in rebuilt trees, ${whole.accountsSame.toLocaleString('en-US')} of ${plural(whole.accountsNamed, 'account')} as anchored`;
  const isOfLog = logResult(log) === 'fail' && result !== 'fail';
  const kind = whole?.kept == null ? 'audit' : 'auditOnKept';
  const worst = worstResult([result, logResult(log)]);
  return [
    heading,
    `${rebuilt} of ${plural(side.trees.trees.size, 'attested tree')} rebuilt, up to block ${side.next - 1}`,
    '',
    ...states.flatMap(treeLines),
    ...accounts.flatMap(({ username, faults }) => faultLines(username, faults)),
    ...unread.map(({ account, detail }) => `WAIT  ${account}: the record cannot be read: ${detail}`),
    ...side.trees.unreadable.map(
      (uid) => `WAIT  attestation ${uid}: a trusted relayer made it, but its data has an unknown format`,
    ),
    ...(log === null ? [] : logLines(log, side.trees.trees.size)),
    ...[...noticed(findings), ...notes].map((text) => `INFO  ${text}`),
    ...(isOfLog ? [VERDICT_WORDS.auditedLog.fail] : lastLines(VERDICT_WORDS[kind], worst, condition, chosen)),
    ...scopeLines(scope),
  ];
}

export const faultLines = (username: string, faults: readonly RecordFault[]): string[] =>
  faults.map(({ what, hash, etch_id: id, detail }) => {
    const etch = id === null ? hash : `etch ${id} (${hash})`;
    return `FAIL  ${username}: ${what}: ${etch}: ${detail}`;
  });

export const scopeLines = (scope: JudgedScope | null): string[] =>
  scope === null ? [] : [...when(scope.domain !== null, `INFO  ${scope.domain}`), scope.verdict];

function treeLines({ tree, outcome }: { tree: AttestedTree; outcome: TreeOutcome }): string[] {
  const { root, kind, treeVersion } = tree;
  const name =
    treeVersion === 0 ? `etch ${root} without a tree` : `tree${kind === 1 ? ' of tombstones' : ''} ${root}`;
  if (outcome.state === 'rebuilt') return [];
  return outcome.state === 'broken'
    ? [`FAIL  ${name}: ${outcome.detail}`]
    : [`WAIT  ${name}: unproven: ${outcome.detail}`];
}

function logLines({ entries, attested, faults, unproven, notes }: LogFindings, trees: number): string[] {
  return [
    ...faults.map((fault) => `FAIL  the log of trees: ${fault}`),
    ...unproven.map((detail) => `WAIT  the log of trees: unproven: ${detail}`),
    ...(attested === null ? [] : [`INFO  the log of trees: ${logWords(entries, attested, trees)}`]),
    ...notes.map((note) => `INFO  ${note}`),
  ];
}

export const logWords = (entries: number, attested: number, trees: number): string =>
  `${attested} of ${plural(trees, 'attested tree')} in ${plural(entries, 'entry', 'entries')}`;

const sum = ({ outcomes }: Findings): number =>
  [...outcomes.values()]
    .filter(({ outcome }) => outcome.state === 'rebuilt')
    .reduce((leaves, { tree }) => leaves + tree.treeSize, 0);

/** @param of what was counted */
export const countWords = (
  { shown, sealed, retracted, takenDown }: Pick<RecordCounts, 'shown' | 'sealed' | 'retracted' | 'takenDown'>,
  of: string,
): string =>
  `${shown} of ${of}, ${sealed} sealed, ${retracted} retracted${takenDown > 0 ? `, ${takenDown} taken down by the operator` : ''}`;

function noticed(findings: Findings | WholeFindings): string[] {
  const { side, accounts, unnamed } = findings;
  const total = (pick: (counts: RecordCounts) => number) =>
    accounts.reduce((value, { counts }) => value + pick(counts), 0);
  const [pending, treeV1, single] = [total((c) => c.pending), total((c) => c.treeV1), total((c) => c.single)];
  const twice = [...side.trees.trees.values()].filter(({ uids }) => uids.length > 1).length;
  const whole = wholeOf(findings);
  return [
    ...when(pending > 0, `${plural(pending, 'etch', 'etches')} not anchored yet: nothing to compare with`),
    ...when(
      treeV1 > 0 || unnamed > 0,
      `trees of version 1 name no author: none of their ${plural(unnamed, 'hash', 'hashes')} is missing, but only the service names the authors${treeV1 > 0 ? ` (${treeV1} in this record)` : ''}`,
    ),
    ...when(
      single > 0,
      `${plural(single, 'etch', 'etches')} with an attestation of their own: only the service names the authors`,
    ),
    ...noticeWords(findings),
    ...when(twice > 0, `${plural(twice, 'tree')} attested more than once: each counts once`),
    ...when(
      side.strangers > 0,
      `${plural(side.strangers, 'attestation')} under the schema by untrusted attesters: ignored`,
    ),
    ...(whole === null ? [] : wholeWords(whole)),
  ];
}

const NOTICES_NAMED = 100;

function noticeWords({ notices }: Findings): string[] {
  const kinds = [...new Set(notices.map(({ what }) => what))];
  return [
    ...kinds.map(
      (kind) => `${plural(notices.filter(({ what }) => what === kind).length, 'etch', 'etches')} ${kind}`,
    ),
    ...notices
      .slice(0, NOTICES_NAMED)
      .map(({ username, what, etch_id, hash }) => `${username}: ${what}: etch ${etch_id} (${hash})`),
  ];
}

function wholeWords({ kept, keptNoMore, differing }: WholeFindings): string[] {
  return [
    ...when(
      kept === null && keptNoMore !== null,
      `the stored results since ${keptNoMore} no longer agree: everything was audited again`,
    ),
    ...(kept === null ? [] : [keptWords(kept)]),
    'accounts that no rebuilt tree of version 2 names are not covered: audit them by name',
    ...when(differing > 0, `${plural(differing, 'more account')} differ: audit them by name`),
  ];
}

function keptWords({ since, trees, leaves, accounts, treesAgain, accountsAgain }: KeptParts): string {
  const again = `; random samples of ${plural(treesAgain, 'tree')} and ${plural(accountsAgain, 'account')} were checked again and agree`;
  return `reused from audits since ${since}: ${plural(leaves, 'leaf', 'leaves')} of ${plural(trees, 'tree')}, and the records of ${plural(accounts, 'account')} for which the chain has nothing new${treesAgain + accountsAgain > 0 ? again : ''}; --fresh audits everything again`;
}

const countsJson = ({ takenDown, pending, treeV1, single, ...shown }: RecordCounts) => ({
  ...shown,
  taken_down: takenDown,
  pending,
  tree_version_1: treeV1,
  single,
});

const keptJson = ({ treesAgain, accountsAgain, ...rest }: KeptParts) => ({
  ...rest,
  trees_again: treesAgain,
  accounts_again: accountsAgain,
});

export function auditJson(report: AuditReport): object {
  const { service, findings, chosen, condition, notes, log = null, scope = null } = report;
  const { side, outcomes, accounts, notices, unread, unnamed } = findings;
  const whole = wholeOf(findings);
  const of = (state: string) => [...outcomes.values()].filter(({ outcome }) => outcome.state === state);
  const listed = (state: string) =>
    of(state).map(({ tree: { root, kind, treeVersion, treeSize, uids }, outcome }) => ({
      root,
      kind,
      tree_version: treeVersion,
      tree_size: treeSize,
      attestation_uid: uids[0],
      detail: 'detail' in outcome ? outcome.detail : '',
    }));
  return {
    result: scope?.result ?? resultUnder(condition, worstResult([auditResult(findings), logResult(log)])),
    service,
    ...present({ log, scope }),
    up_to_block: side.next - 1,
    trees: {
      attested: side.trees.trees.size,
      rebuilt: of('rebuilt').length,
      leaves: sum(findings),
      version_1_leaves: unnamed,
      broken: listed('broken'),
      unproven: listed('unproven'),
    },
    accounts: accounts.map(({ counts, ...rest }) => ({ ...rest, counts: countsJson(counts) })),
    ...(whole && {
      audited_at: whole.auditedAt,
      accounts_named: whole.accountsNamed,
      accounts_same: whole.accountsSame,
      kept: whole.kept && keptJson(whole.kept),
      kept_no_more: whole.keptNoMore,
    }),
    notices: notices.slice(0, NOTICES_NAMED),
    notices_total: notices.length,
    unread,
    strangers: side.strangers,
    unreadable_attestations: side.trees.unreadable,
    trust: trustJson(chosen, condition),
    notes,
  };
}
