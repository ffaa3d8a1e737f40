import { type AccountScore, type ChallengeScore, SCORE_PAGE_SIZE } from '@svc/contract';
import { scoreAccountInTimeSlices, scoreChallengeInTimeSlices } from '@svc/protocol/conventions';
import type { JudgedForecast } from '@svc/protocol/conventions';
import { numberedPage } from '../../challenges/list-store.ts';
import type { Clock } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import { Failure } from '../../platform/failure.ts';
import { shareWaiting } from '../../platform/flow/share-waiting.ts';
import { createSlots } from '../../platform/flow/slots.ts';
import { runInTimeSlices } from '../../platform/flow/time-slices.ts';
import { accountNamed } from '../record-store.ts';
import { findScoredChallenge } from './rows-store.ts';
import { readAccountData, readChallengeData, type ScoreReadOptions, toPublicData } from './store.ts';

export interface ScoreContext extends Omit<ScoreReadOptions, 'now'> {
  db: Db;
  clock: Clock;
  /** the caller that waits */
  who: string;
}

/** A score reads a whole record. */
const scoring = createSlots({ slots: 2, queue: 200, patience: 10_000, what: 'scores computed' });
const sharedAccounts = shareWaiting<Awaited<ReturnType<typeof computeAccount>>>(scoring);
const sharedChallenges = shareWaiting<Awaited<ReturnType<typeof computeChallenge>>>(scoring);

/** docs/conventions.md#scores. Lists the latest attestation first. @throws Failure not_found, unprocessable */
export async function scoreAccount(context: ScoreContext, name: string, page: number): Promise<AccountScore> {
  const { forecasts, ...score } = await sharedAccounts(
    name.toLowerCase(),
    () => computeAccount(context, name),
    context.who,
  );
  return { ...score, ...pageOf('forecasts', forecasts, page, judgedView) };
}

export const scoreChallenge = async (
  context: ScoreContext,
  id: string,
  page: number,
): Promise<ChallengeScore> => challengeScoreOf(await scored(context, id), page);

/** The first page of the standings, and the account's own place, from one computation. */
export async function scoreChallengeFor(
  context: ScoreContext,
  id: string,
  userId: string | undefined,
): Promise<ChallengeScore & { own?: ReturnType<typeof rankIn> }> {
  const found = await scored(context, id);
  return { ...challengeScoreOf(found, 1), own: userId === undefined ? undefined : rankIn(found, userId) };
}

type Scored = Awaited<ReturnType<typeof computeChallenge>>;

function challengeScoreOf({ standings, resolution, ...score }: Scored, page: number): ChallengeScore {
  const { corrections, taken_down } = resolution;
  return {
    ...score,
    resolution: {
      ...resolution,
      corrections: corrections.slice(0, SCORE_PAGE_SIZE),
      corrections_total: corrections.length,
      taken_down: taken_down.slice(0, SCORE_PAGE_SIZE),
      taken_down_total: taken_down.length,
    },
    ...pageOf('standings', standings, page, ({ rank, retractions, takedowns, ...judged }) => ({
      ...judgedView(judged),
      rank,
      retractions,
      takedowns,
    })),
  };
}

/** The rank of an account's forecast, with what it said; undefined without a score. */
export async function findRank(context: ScoreContext, challengeId: string, userId: string) {
  return rankIn(await scored(context, challengeId), userId);
}

function rankIn({ standings, counts }: Scored, userId: string) {
  const own = standings.find((one) => one.user_id === userId);
  if (!own || own.rank === null) return undefined;
  const { forecast, outcome, brier, quantile_loss } = judgedView(own);
  return { rank: own.rank, of: counts.scored, forecast, outcome, brier, quantile_loss };
}

const scored = (context: ScoreContext, id: string) =>
  sharedChallenges(id, () => computeChallenge(context, id), context.who);

async function computeAccount({ db, clock, keyring, most }: ScoreContext, name: string) {
  const reading = { keyring, most, now: clock.now() };
  const { account, data } = await db.tx(
    async (tx) => {
      const { id: user_id, username } = await accountNamed(tx, name);
      return { account: { user_id, username }, data: await readAccountData(tx, user_id, reading) };
    },
    { snapshot: true },
  );
  const score = await runInTimeSlices(scoreAccountInTimeSlices(account, await toPublicData(data, reading)));
  return { ...score, forecasts: score.forecasts.reverse() };
}

async function computeChallenge({ db, clock, keyring, most }: ScoreContext, id: string) {
  const reading = { keyring, most, now: clock.now() };
  const data = await db.tx(
    async (tx) => {
      const found = await findScoredChallenge(tx, id);
      if (!found) throw new Failure('not_found', 'there is no challenge with this id');
      return readChallengeData(tx, found, reading);
    },
    { snapshot: true },
  );
  return (await runInTimeSlices(scoreChallengeInTimeSlices(id, await toPublicData(data, reading))))!;
}

function pageOf<Name extends string, Item, View>(
  name: Name,
  items: readonly Item[],
  number: number,
  view: (item: Item) => View,
) {
  const shown = items.slice((number - 1) * SCORE_PAGE_SIZE, number * SCORE_PAGE_SIZE).map(view);
  return {
    ...({ [name]: shown } as Record<Name, View[]>),
    page: numberedPage(number, items.length, SCORE_PAGE_SIZE),
  };
}

/** Leaves out the reasons, which the etch contains. */
function judgedView({ forecast, ...judged }: JudgedForecast) {
  if (forecast === null) return { ...judged, forecast };
  const { form } = forecast;
  const [outcomes, quantiles] = form === 'outcomes' ? [forecast.outcomes, []] : [[], forecast.quantiles];
  return { ...judged, forecast: { form, outcomes, quantiles } };
}
