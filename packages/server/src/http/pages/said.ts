import type { ChallengeCounts, ChallengeDetail } from '@svc/contract';
import { type Asked, parseQuestion } from '@svc/protocol/conventions';
import { challengeState, readAnswer, type Reading, type Said, saidOf } from '@svc/web';
import { listSaid } from '../../challenges/entries-store.ts';
import { toTime } from '../../db/clock.ts';
import { openIfWhole } from '../../etches/secret.ts';
import { inSlices } from '../../flow/slices.ts';
import type { Facts } from './parts.ts';

/** Of more answers nothing is drawn: everybody waits for who reads them. */
const MOST = 5_000;
/** So many pictures of closed challenges are kept; there is no text in them. */
const KEPT = 200;

/**
 * How the answers of a closed challenge are distributed. They change by retraction alone, so each is read once for the state that
 * its page shows.
 */
export function saidReader({ db, clock, view }: Pick<Facts, 'db' | 'clock' | 'view'>) {
  const kept = new Map<string, { state: string; said: Said | undefined }>();

  async function read(id: string, asked: Asked): Promise<Said | undefined> {
    const rows = await listSaid(db, id, { now: toTime(clock.now()), most: MOST + 1 });
    if (rows.length > MOST) return undefined;
    const readings = await inSlices(
      rows,
      ({ sealed, content }) => (sealed ?? content ?? '').length,
      ({ id: etchId, sealed, content }): Reading => {
        const words = sealed ? openIfWhole(view.keyring, etchId, sealed)?.content : content;
        return words === undefined || words === null ? null : readAnswer(asked, words);
      },
    );
    return saidOf(asked, readings);
  }

  return async (challenge: ChallengeDetail, counts: ChallengeCounts): Promise<Said | undefined> => {
    if (!challenge.closed) return undefined;
    const { id, question } = challenge;
    const state = challengeState(challenge, counts);
    const known = kept.get(id);
    if (known?.state === state) return known.said;
    const said = await read(id, parseQuestion(question));
    kept.delete(id);
    kept.set(id, { state, said });
    if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
    return said;
  };
}
