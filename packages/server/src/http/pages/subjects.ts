import { type ChallengeDetail, CODE, type Etch, isUuid } from '@svc/contract';
import {
  accountCard,
  type Card,
  type CardSubject,
  challengeCard,
  etchCard,
  nameOf,
  questionText,
  titleOf,
} from '@svc/web';
import { findChallengeByCode, findChallengeDetail, type ChallengeDetailRow } from '../../challenges/store.ts';
import { challengeCounts, challengeDetailView } from '../../challenges/view.ts';
import { Failure } from '../../platform/failure.ts';
import { etchView } from '../../etches/view.ts';
import { noteSubjects } from './resolved-subjects.ts';
import { answerRecord } from '../routes/records.ts';
import { readOutcomes } from '../../records/scores/resolution.ts';
import { scoreContext } from './scores.ts';
import { etchFinder } from './etches.ts';
import { type PageParts, siteOf } from './parts.ts';

const CODE_FORM = new RegExp(CODE, 'i');

export interface Subject {
  path: CardSubject;
  card: Card;
  title: string;
  author: { username: string; display_name: string };
  shortUrl: string | null;
  etch?: Etch;
  challenge?: ChallengeDetail;
}

export type Kind = 'e' | 'ch' | 'u';

/** Returns public fields only. */
export function subjectFinder(parts: PageParts): (kind: Kind, name: string) => Promise<Subject> {
  const { db, clock, view } = parts.facts;
  const site = siteOf(parts.site);
  const findEtch = etchFinder(parts.etches.reader);

  async function findChallenge(name: string): Promise<ChallengeDetailRow> {
    const found = isUuid(name)
      ? await findChallengeDetail(db, name.toLowerCase())
      : CODE_FORM.test(name)
        ? await findChallengeByCode(db, name)
        : undefined;
    if (!found) throw new Failure('not_found', 'no challenge has this address');
    return found;
  }

  return async (kind, name) => {
    if (kind === 'e') {
      const etch = etchView(await findEtch(name), clock.now(), view);
      await noteSubjects(parts.facts, [etch]);
      const { author, short_url: shortUrl } = etch;
      const title = titleOf(etch);
      return { path: `/e/${etch.id}`, card: etchCard(site, etch), title, author, shortUrl, etch };
    }
    if (kind === 'ch') {
      const row = await findChallenge(name);
      const now = clock.now();
      const challenge = challengeDetailView(row, now, view);
      const { creator: author, short_url: shortUrl } = challenge;
      const title = questionText(challenge.question);
      const outcome = challenge.closed
        ? (await readOutcomes(db, [challenge], scoreContext(parts))).get(challenge.id)
        : undefined;
      const card = challengeCard(site, challenge, { counts: challengeCounts(row, now), outcome });
      return { path: `/ch/${challenge.id}`, card, title, author, shortUrl, challenge };
    }
    const { user, counts } = await answerRecord({ db, clock, view }, name, { limit: '1' });
    const title = `${nameOf(user)} (@${user.username})`;
    return {
      path: `/u/${user.username}`,
      card: accountCard(site, user, counts),
      title,
      author: user,
      shortUrl: null,
    };
  };
}
