import { type IndexFindings, indexReport, indexResult } from '@svc/verifier/account-index';
import { when } from '../context.ts';
import type { Chosen } from '../find-trust.ts';
import { indexVerdicts, lastLines, type Result, resultUnder, trustJson } from '../verdict-words.ts';
import { countWords, faultLines, plural } from './print-audit.ts';

interface IndexReport {
  service: string;
  findings: IndexFindings;
  chosen: Chosen;
  condition: string | null;
  notes: string[];
}

/** A pass needs a witness that recomputed the index. */
export function finalResult({ findings, condition }: IndexReport): Result {
  const result = indexResult(findings);
  return result === 'operator' ? 'wait' : resultUnder(condition, result);
}

export function indexLines(report: IndexReport): string[] {
  const { findings, chosen, condition } = report;
  const { account, index, record, faults } = findings;
  const name = account.username;
  const result = indexResult(findings);
  const isByOperator = result === 'operator';
  const { index: read, unproven } = indexReport(findings);
  const verdicts = indexVerdicts(read?.up_to ?? null);
  return [
    `${name}: ${record === null ? 'not compared with the index' : recordWords(record.counts)}`,
    ...(index === null ? [] : [indexWords(index)]),
    '',
    ...faults.map((fault) => `FAIL  the index of accounts: ${fault}`),
    ...faultLines(name, record?.faults ?? []),
    ...unproven.map((detail) => `WAIT  ${name}: unproven: ${detail}`),
    ...notesOf(report).map((note) => `INFO  ${note}`),
    ...when(isByOperator, `WAIT: ${verdicts.byOperator}`),
    ...(isByOperator && condition === null
      ? []
      : lastLines(verdicts, isByOperator ? 'pass' : result, condition, chosen)),
  ];
}

type Counts = NonNullable<IndexFindings['record']>['counts'];

const recordWords = (counts: Counts): string =>
  countWords(counts, `${plural(counts.leaves, 'attested etch', 'attested etches')} of the index shown`);

const indexWords = ({ checkpoint, covered, read, tailTrees }: NonNullable<IndexFindings['index']>): string =>
  `${plural(read, 'new entry', 'new entries')} read; the index covers ${covered} of ${plural(checkpoint.size, 'entry', 'entries')} of the log${tailTrees > 0 ? `, and ${plural(tailTrees, 'tree')} after it ${tailTrees === 1 ? 'was' : 'were'} read leaf by leaf` : ''}`;

function notesOf({ findings, notes }: IndexReport): string[] {
  const { index, record } = findings;
  return [
    ...(index?.notes ?? []),
    ...when(record !== null, `the times of ${plural(record?.timed ?? 0, 'tree')} were read from the chain`),
    ...(record?.notes ?? []),
    ...(index?.recomputedBy ?? []).map(
      (name) => `the witness ${name} recomputed the index, by your word, and cosigned it`,
    ),
    ...notes,
  ];
}

export const indexJson = (report: IndexReport): object => ({
  result: finalResult(report),
  service: report.service,
  ...indexReport(report.findings),
  trust: trustJson(report.chosen, report.condition),
  notes: notesOf(report),
});
