import type { Forecast } from './forecast.ts';
import { FORECAST_TAG } from './forecast.ts';
import { inOrder } from './public-data.ts';
import type { PublicChallenge, PublicEtch } from './public-data.ts';
import type { Asked } from './question.ts';
import { askedByForecast, forecastMisfit, parseQuestion } from './question.ts';
import { resolveChallenge, resolveForecast } from './resolve.ts';
import type { Resolution } from './resolve.ts';
import { brierScore, isYesNo, logScore, quantileLoss } from './score-rules.ts';
import { readWords } from './words.ts';

const BEGINS = new RegExp(`^${FORECAST_TAG}(?=[ \\t\\r\\n]|$)`);

/** An answer to a challenge is in time when it was attested this long after it closed, at most. */
export const LATE_AFTER_MS = 600_000;

/** What became of a forecast; only `scored` has scores, and all others are counted beside them. */
export const FORECAST_STATES = [
  'scored',
  'late',
  'malformed',
  'void',
  'unresolved',
  'pending',
  'sealed',
  'retracted',
] as const;
export type ForecastState = (typeof FORECAST_STATES)[number];

/** One forecast, and what is said of it. */
export interface JudgedForecast {
  etch_id: string;
  user_id: string;
  username: string;
  challenge_id: string | null;
  state: ForecastState;
  /** why it has no score; null when it has one */
  reason: string | null;
  /** null when it cannot be read */
  forecast: Forecast | null;
  attested_at: string | null;
  /** what came true */
  outcome: string | null;
  /** the etch that says so */
  resolution_id: string | null;
  /** was it resolved by its own author? */
  self_resolved: boolean;
  /** of yes and no; null without a score or of quantiles */
  binary: boolean | null;
  brier: number | null;
  log: number | null;
  quantile_loss: number | null;
  /** of the loss; null where the question names none */
  unit: string | null;
}

/** All that scores are made of. Whole records: of whoever is scored, and of the creators of their challenges. */
export interface PublicData {
  etches: readonly PublicEtch[];
  challenges: readonly PublicChallenge[];
}

/**
 * Every etch that is a forecast or would be one: answers to challenges that ask for one, and what begins as a forecast
 * outside challenges. What is sealed or retracted there cannot be told from another text, and is not among them.
 * @returns in the order of attestation
 * @example
 * judgeForecasts({ etches: [], challenges: [] }); // []
 */
export function judgeForecasts({ etches, challenges }: PublicData): JudgedForecast[] {
  const byAuthor = new Map<string, PublicEtch[]>();
  for (const etch of etches) {
    const { user_id } = etch.author;
    const known = byAuthor.get(user_id);
    if (known === undefined) byAuthor.set(user_id, [etch]);
    else known.push(etch);
  }
  const questions = new Map(
    challenges.map((challenge) => [
      challenge.id,
      {
        challenge,
        asked: parseQuestion(challenge.question),
        resolution: resolveChallenge(challenge, byAuthor.get(challenge.creator_id) ?? []),
      },
    ]),
  );
  return [...etches].sort(inOrder).flatMap((etch) => {
    if (etch.challenge === null) return judgeAlone(etch, byAuthor.get(etch.author.user_id)!);
    const question = questions.get(etch.challenge.id);
    if (question === undefined || question.asked.asks === 'text') return [];
    return [judgeAnswer(etch, question)];
  });
}

function judgeAlone(etch: PublicEtch, own: readonly PublicEtch[]): JudgedForecast[] {
  if (etch.content === null || !BEGINS.test(etch.content)) return [];
  const words = readWords(etch.content);
  if (words.kind === 'text') return [unscored(etch, 'malformed', words.reason, null)];
  if (words.kind !== 'forecast') return [];
  return [judge(etch, words, askedByForecast(words), resolveForecast(etch, words, own), null)];
}

function judgeAnswer(
  etch: PublicEtch,
  { challenge, asked, resolution }: { challenge: PublicChallenge; asked: Asked; resolution: Resolution },
): JudgedForecast {
  if (etch.status === 'retracted') return unscored(etch, 'retracted', 'its author took it back', null);
  if (etch.content === null) return unscored(etch, 'sealed', 'it is not revealed yet', null);
  const words = readWords(etch.content);
  if (words.kind !== 'forecast') {
    const reason = words.kind === 'text' ? words.reason : null;
    return unscored(
      etch,
      'malformed',
      reason ?? `the words are no forecast: ${FORECAST_TAG} begins one`,
      null,
    );
  }
  const misfit = forecastMisfit(words, asked);
  if (misfit !== null) return unscored(etch, 'malformed', misfit, words);
  return judge(etch, words, asked, resolution, challenge.reveal_at);
}

function judge(
  etch: PublicEtch,
  forecast: Forecast,
  asked: Asked,
  { state, first, reason }: Resolution,
  closes: string | null,
): JudgedForecast {
  const attested = etch.chain.anchored_at;
  if (attested === null) return unscored(etch, 'pending', 'it is not attested yet', forecast);
  if (closes !== null && Date.parse(attested) > Date.parse(closes) + LATE_AFTER_MS)
    return unscored(
      etch,
      'late',
      `it was attested at ${attested}, and the challenge closed at ${closes}`,
      forecast,
    );
  if (first === null) return unscored(etch, 'unresolved', reason, forecast);
  const told = {
    outcome: first.outcome,
    resolution_id: first.etch_id,
    self_resolved: first.user_id === etch.author.user_id,
  };
  if (state === 'void') return { ...unscored(etch, 'void', 'it was resolved as void', forecast), ...told };
  if (attested > first.attested_at)
    return {
      ...unscored(
        etch,
        'late',
        `it was attested at ${attested}, after its resolution at ${first.attested_at}`,
        forecast,
      ),
      ...told,
    };
  return {
    ...unscored(etch, 'scored', null, forecast),
    ...told,
    ...scoresOf(forecast, asked, first.outcome),
  };
}

function scoresOf(forecast: Forecast, asked: Asked, outcome: string): Partial<JudgedForecast> {
  if (forecast.form === 'quantiles')
    return {
      quantile_loss: quantileLoss(forecast, outcome),
      unit: asked.asks === 'number' && asked.unit !== '' ? asked.unit : null,
    };
  const outcomes = asked.asks === 'outcomes' ? asked.outcomes : [];
  return {
    binary: isYesNo(outcomes),
    brier: brierScore(forecast, outcomes, outcome),
    log: logScore(forecast, outcome),
  };
}

const unscored = (
  { id, author, challenge, chain }: PublicEtch,
  state: ForecastState,
  reason: string | null,
  forecast: Forecast | null,
): JudgedForecast => ({
  etch_id: id,
  user_id: author.user_id,
  username: author.username,
  challenge_id: challenge?.id ?? null,
  state,
  reason,
  forecast,
  attested_at: chain.anchored_at,
  outcome: null,
  resolution_id: null,
  self_resolved: false,
  binary: null,
  brier: null,
  log: null,
  quantile_loss: null,
  unit: null,
});
