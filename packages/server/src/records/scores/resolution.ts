import {
  type AnswerFormat,
  formatOfForecast,
  describedTarget,
  type Forecast,
  judgeForecasts,
  outcomeMisfit,
  parseQuestion,
  type PublicChallenge,
  type PublicEtch,
  readWords,
  resolveChallenge,
  resolveForecast,
  type StandingResolution,
  VOID,
} from '@svc/protocol/conventions';
import type { Queryable } from '../../db/db.ts';
import type { DecidedQuestion } from '../../events/resolved-store.ts';
import { readDeciding, readResolutionEtches, resolversOf } from './resolution-store.ts';
import { findScoredChallenge, type ReadContext, readEtch } from './rows-store.ts';

export type ResolvedOutcome =
  | { state: 'resolved' | 'void'; first: StandingResolution }
  | { state: 'pending'; etchId: string; outcome: string }
  | { state: 'retracted'; etchId: string }
  | { state: 'open' };

/** Leaves out questions that ask for a text. */
export async function readOutcomes(
  db: Queryable,
  challenges: readonly PublicChallenge[],
  context: ReadContext,
  read = readDeciding,
): Promise<Map<string, ResolvedOutcome>> {
  const asking = challenges.filter(({ question }) => parseQuestion(question).asks !== 'text');
  if (asking.length === 0) return new Map();
  const etches = await read(db, resolversOf(asking), context);
  const byTarget = new Map<string, PublicEtch[]>();
  for (const etch of etches) {
    const target = describedTarget(etch.description)!;
    byTarget.set(target, [...(byTarget.get(target) ?? []), etch]);
  }
  return new Map(
    asking.map((challenge) => {
      const own = (byTarget.get(challenge.id) ?? []).filter(
        ({ author }) => author.user_id === challenge.creator_id,
      );
      const { first } = resolveChallenge(challenge, own);
      const format = parseQuestion(challenge.question);
      return [
        challenge.id,
        outcomeOf(first, own, { format, from: challenge.reveal_at, target: challenge.id }),
      ];
    }),
  );
}

export async function readForecastOutcome(
  db: Queryable,
  etch: PublicEtch,
  forecast: Forecast,
  context: ReadContext,
  read = readDeciding,
): Promise<ResolvedOutcome> {
  const wanted = { resolvers: [etch.author.user_id], targets: [etch.id] };
  const own = await read(db, wanted, context);
  const { first } = resolveForecast(etch, forecast, own);
  return outcomeOf(first, own, {
    format: formatOfForecast(forecast),
    from: etch.created_at ?? '',
    target: etch.id,
  });
}

export async function judgeForecast(db: Queryable, etch: PublicEtch, context: ReadContext) {
  if (readWords(etch.content ?? '').kind !== 'forecast') return undefined;
  const challenge = etch.challenge ? await findScoredChallenge(db, etch.challenge.id) : undefined;
  const wanted = {
    resolvers: [challenge?.creator_id ?? etch.author.user_id],
    targets: [challenge?.id ?? etch.id],
  };
  const resolutions = await readDeciding(db, wanted, context);
  const judged = judgeForecasts({
    etches: [etch, ...resolutions],
    challenges: challenge ? [challenge] : [],
  }).find(({ etch_id: id }) => id === etch.id);
  const resolution = resolutions.find(({ id }) => id === judged?.resolution_id);
  return judged && { ...judged, resolved_at: resolution?.chain.anchored_at ?? null };
}

/** Decides anew the question that this etch resolves, or this forecast. */
export async function findDecided(
  db: Queryable,
  etchId: string,
  context: ReadContext,
): Promise<DecidedQuestion | undefined> {
  const etch = await readEtch(db, etchId, context);
  const targetId = (etch?.mode === 'instant' ? describedTarget(etch.description) : null) ?? etchId;
  const challenge = await findScoredChallenge(db, targetId);
  let outcome: ResolvedOutcome | undefined;
  if (challenge) outcome = (await readOutcomes(db, [challenge], context, readResolutionEtches)).get(targetId);
  else {
    const forecast = await readEtch(db, targetId, context);
    const words = readWords(forecast?.content ?? '');
    if (forecast && forecast.challenge === null && words.kind === 'forecast')
      outcome = await readForecastOutcome(db, forecast, words, context, readResolutionEtches);
  }
  if (!outcome) return undefined;
  const decided = {
    type: challenge ? ('challenge.resolved' as const) : ('etch.resolved' as const),
    targetId,
  };
  if ('first' in outcome) return { ...decided, etchId: outcome.first.etch_id, at: outcome.first.attested_at };
  return { ...decided, etchId: outcome.state === 'retracted' ? outcome.etchId : null, at: null };
}

export const resolvedAs = (first: StandingResolution): ResolvedOutcome => ({
  state: first.outcome === VOID ? 'void' : 'resolved',
  first,
});

function outcomeOf(
  first: StandingResolution | null,
  etches: readonly PublicEtch[],
  { format, from, target }: { format: AnswerFormat; from: string; target: string },
): ResolvedOutcome {
  if (first !== null) return resolvedAs(first);
  const isRetracted = ({ status, retracted_by: by, chain }: PublicEtch): boolean =>
    status === 'retracted' &&
    by === undefined &&
    (chain.anchored_at ?? '~').slice(0, 19) >= from.slice(0, 19);
  const retracted = etches.find(isRetracted);
  if (retracted) return { state: 'retracted', etchId: retracted.id };
  for (const { id, content, created_at: at, chain } of etches) {
    const words = readWords(content ?? '');
    if (
      words.kind === 'resolution' &&
      words.target === target &&
      chain.anchored_at === null &&
      at! >= from &&
      outcomeMisfit(words.outcome, format) === null
    )
      return { state: 'pending', etchId: id, outcome: words.outcome };
  }
  return { state: 'open' };
}
