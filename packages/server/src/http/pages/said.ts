import type { ChallengeCounts, ChallengeDetail } from '@svc/contract';
import { type Asked, parseQuestion } from '@svc/protocol/conventions';
import { type AnswersBy, challengeState, readAnswer, type Reading, type Said, saidOf } from '@svc/web';
import { listSaid } from '../../challenges/list-store.ts';
import { toTime } from '../../db/clock.ts';
import { decryptIfIntact } from '../../etches/hidden-fields.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import type { Parts } from '../parts.ts';

/** No chart above this number of answers: reading them would block other requests. */
const MOST = 5_000;
/** The charts contain no text. */
const KEPT = 200;
const KEPT_ANSWERS = 50_000;

export interface ReadAnswers {
  said: Said | undefined;
  answers: readonly { id: string; reading: Reading }[];
}

export function idsBy({ answers }: ReadAnswers, by: AnswersBy): string[] {
  if (by === 'others') return answers.flatMap(({ id, reading }) => (reading === null ? [id] : []));
  const way = by === 'lowest' ? 1 : -1;
  return answers
    .filter(({ reading }) => reading !== null)
    .sort((a, b) =>
      typeof a.reading === 'number' && typeof b.reading === 'number'
        ? way * (a.reading - b.reading) || (a.id < b.id ? -1 : 1)
        : a.id < b.id
          ? -1
          : 1,
    )
    .map(({ id }) => id);
}

/** Computes a chart once per state, because only a retraction changes a closed challenge. */
export function saidReader({ db, clock, view }: Parts) {
  const kept = new Map<string, { state: string; read: ReadAnswers | undefined }>();
  let keptAnswers = 0;

  function forget(id: string): void {
    keptAnswers -= kept.get(id)?.read?.answers.length ?? 0;
    kept.delete(id);
  }

  async function read(id: string, asked: Asked): Promise<ReadAnswers | undefined> {
    const rows = await listSaid(db, id, { now: toTime(clock.now()), most: MOST + 1 });
    if (rows.length > MOST) return undefined;
    const readings = await mapInTimeSlices(
      rows,
      ({ sealed, content }) => (sealed ?? content ?? '').length,
      ({ id: etchId, sealed, content }): Reading => {
        const words = sealed ? decryptIfIntact(view.keyring, etchId, sealed)?.content : content;
        return words === undefined || words === null ? null : readAnswer(asked, words);
      },
    );
    const answers = rows.map((row, at) => ({ id: row.id, reading: readings[at]! }));
    return { said: saidOf(asked, readings), answers };
  }

  return async (challenge: ChallengeDetail, counts: ChallengeCounts): Promise<ReadAnswers | undefined> => {
    if (!challenge.closed) return undefined;
    const { id, question } = challenge;
    const state = challengeState(challenge, counts);
    const known = kept.get(id);
    if (known?.state === state) return known.read;
    const answers = await read(id, parseQuestion(question));
    forget(id);
    kept.set(id, { state, read: answers });
    keptAnswers += answers?.answers.length ?? 0;
    while (kept.size > KEPT || (keptAnswers > KEPT_ANSWERS && kept.size > 1))
      forget(kept.keys().next().value!);
    return answers;
  };
}
