import { FORECAST_STATES, formatLevels, settledBy } from '@svc/protocol/conventions';
import type {
  AccountScore,
  ChallengeScore,
  ForecastState,
  Mean,
  ScopeScore,
  ScoreSummary,
} from '@svc/protocol/conventions';
import { when } from '../context.ts';
import type { AuditedData } from './audited-data.ts';

type Counts = ChallengeScore['counts'];

export function auditWarning({ result, report, reason }: AuditedData): string | null {
  if (result === 'pass') return null;
  if (report === null) return `The records were not audited: ${reason}. They may be incomplete.`;
  return result === 'fail'
    ? 'The audit FAILS: the records have missing or changed etches. The score below covers the rest.'
    : 'The audit does not pass: completeness of the records is not proven. Its report is below.';
}

export const accountWords = (score: AccountScore): string[] =>
  recordWords(score.account.username, 'the account itself', score);

export const scopeWords = (score: ScopeScore): string[] =>
  recordWords(
    `${score.accounts.map(({ username }) => username).join(', ')} together`,
    'an account of the scope',
    score,
  );

function recordWords(
  who: string,
  self: string,
  { counts, scores }: Pick<AccountScore, 'counts' | 'scores'>,
): string[] {
  return [
    `${who}: ${countWords(counts)}`,
    `not scored: ${plural(counts.sealed_etches, 'etch')} still sealed, ${plural(counts.retractions, 'retraction')} and ${counts.takedowns} taken down by the operator; any of them may be a forecast`,
    '',
    ...summaryWords('resolved by others', scores.by_others),
    ...summaryWords(`resolved by ${self}`, scores.self_resolved),
  ];
}

/** Only svc settle --check evaluates a rule. */
function settledWords(question: string, source: string): string {
  const hasRule = /\bsettles-by: /.test(question);
  return hasRule && settledBy(source) !== null
    ? 'settled by rule, document kept, as the creator says (check: svc settle --check)'
    : `settled by the creator’s word${hasRule ? ', although the question has a rule' : ''}`;
}

export function challengeWords(found: ChallengeScore): string[] {
  const { challenge, resolution, counts, scores, standings } = found;
  const { first, reason, corrections, taken_down } = resolution;
  return [
    challenge.question,
    first === null
      ? `UNRESOLVED: ${reason}`
      : `${resolution.state === 'void' ? 'VOID' : `RESOLVED: ${first.outcome}`} by ${first.username} (etch ${first.etch_id}, attested ${first.attested_at}): ${first.source}`,
    ...(first === null ? [] : [settledWords(challenge.question, first.source)]),
    ...corrections.map(
      ({ outcome, etch_id, source }) => `later, not counted: ${outcome} (etch ${etch_id}): ${source}`,
    ),
    ...taken_down.map(
      ({ etch_id, attested_at }) =>
        `taken down by the operator, not counted: resolution ${etch_id}, attested ${attested_at}`,
    ),
    countWords(counts),
    '',
    ...standings.map(standingWords),
    '',
    ...summaryWords('all forecasts', scores),
    'the list of accounts that answered comes from the service; check with `svc audit --all` that it omits no account',
  ];
}

function standingWords(standing: ChallengeScore['standings'][number]): string {
  const { rank, username, state, self_resolved, retractions, takedowns, reason } = standing;
  const score = standing.brier ?? standing.quantile_loss;
  return [
    (rank === null ? '-' : String(rank)).padStart(4),
    (score === null ? STATE_WORDS[state] : number(score)).padEnd(9),
    username,
    ...when(self_resolved, '(resolved by the account itself)'),
    ...when(retractions > 0, `(${plural(retractions, 'retraction')})`),
    ...when(takedowns > 0, `(${takedowns} taken down by the operator)`),
    ...when(score === null && reason !== null, `: ${reason}`),
  ].join('  ');
}

const STATES = FORECAST_STATES.filter((state) => state !== 'scored');
const STATE_WORDS = {
  ...(Object.fromEntries(FORECAST_STATES.map((state) => [state, state])) as Record<ForecastState, string>),
  taken_down: 'taken down',
};

const countWords = (counts: Counts): string =>
  [
    plural(counts.forecasts, 'forecast'),
    `${counts.scored} scored${counts.self_resolved > 0 ? ` (${counts.self_resolved} self-resolved)` : ''}`,
    ...STATES.map((state) => `${counts[state]} ${STATE_WORDS[state]}`),
  ].join(', ');

function summaryWords(
  title: string,
  { n, brier, log, quantile_loss, calibration, discrimination, murphy }: ScoreSummary,
) {
  if (n === 0) return [`${title}: none`];
  const shown = (name: string, { n: of, mean }: Mean) =>
    of === 0 ? [] : [`  ${name}  ${number(mean!)} over ${of}`];
  return [
    `${title}: ${n}`,
    ...shown('Brier, yes and no   ', brier.binary),
    ...shown('Brier, more outcomes', brier.several),
    ...shown('log, yes and no     ', log.binary),
    ...shown('log, more outcomes  ', log.several),
    ...quantile_loss.flatMap(({ unit, levels, ...mean }) =>
      shown(`quantile loss, ${formatLevels(levels)}${unit === null ? '' : `, in ${unit}`}`, mean),
    ),
    ...(murphy.n === 0 ? [] : calibrationWords(calibration, discrimination, murphy)),
  ];
}

function calibrationWords(
  calibration: ScoreSummary['calibration'],
  { difference, yes, no }: ScoreSummary['discrimination'],
  murphy: ScoreSummary['murphy'],
): string[] {
  const bins = calibration.filter((bin) => bin.n > 0);
  return [
    `  reliability ${number(murphy.reliability!)}, resolution ${number(murphy.resolution!)}, uncertainty ${number(murphy.uncertainty!)} (${plural(murphy.groups, 'group')} of equal forecasts)`,
    `  discrimination ${difference === null ? 'unknown' : number(difference)} (yes ${yes.n}, no ${no.n})`,
    '  said        n  came true  95 %',
    ...bins.map(({ from, n, observed, interval }) => {
      const bounds = interval!.map((bound) => bound.toFixed(2)).join(' to ');
      return `  from ${from.toFixed(1)}  ${String(n).padStart(5)}  ${observed!.toFixed(2).padStart(9)}  ${bounds}`;
    }),
  ];
}

const number = (value: number): string => value.toFixed(4);
const plural = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : one.endsWith('h') ? 'es' : 's'}`;
