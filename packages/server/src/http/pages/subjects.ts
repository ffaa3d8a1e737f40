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
import { isHex } from '@svc/protocol';
import {
  type ChallengeDetailRow,
  findChallengeByCode,
  findChallengeDetail,
  findChallenges,
} from '../../challenges/store.ts';
import { challengeCounts, challengeDetailView } from '../../challenges/view.ts';
import { Failure } from '../../platform/failure.ts';
import { etchView } from '../../etches/view.ts';
import { noteSubjects } from './draw-cards.ts';
import { answerRecord } from '../routes/records.ts';
import { readOutcomes } from '../../records/scores/resolution.ts';
import { scoreContext } from './scores.ts';
import { etchFinder } from './etches.ts';
import { type PageParts, siteOf } from './parts.ts';
import { findTree } from '../../anchoring/index.ts';
import { findAccountByUsername } from '../../records/record-store.ts';
import { localPath } from './session.ts';

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

/** Reads a URL of this service, `@name`, an id, a hash (of an etch, then of a tree), or a code. */
export async function findLead(parts: PageParts, typed: string): Promise<string | undefined> {
  const q = typed.trim();
  const { db } = parts.facts;
  const { reader } = parts.etches;
  if (URL.canParse(q) && new URL(q).origin === new URL(parts.site.baseUrl).origin) {
    const { pathname, search } = new URL(q);
    return localPath(pathname + search);
  }
  const name = /^@([a-z0-9_]{3,80})$/i.exec(q)?.[1]?.toLowerCase();
  if (name !== undefined) {
    return (await findAccountByUsername(db, name)) && `/u/${name}`;
  }
  if (isUuid(q)) {
    const id = q.toLowerCase();
    if (await orNothing(reader.get(id))) return `/e/${id}`;
    return (await findChallenges(db, [id]))[0] && `/ch/${id}`;
  }
  const hash = q.replace(/^0x/i, '').toLowerCase();
  if (isHex(hash, 32)) {
    const etch = await orNothing(reader.getByHash(hash));
    if (etch) return `/e/${etch.id}`;
    const tree = (await findTree(db, hash, 0)) ?? (await findTree(db, hash, 1));
    return tree ? `/trees/${hash}` : undefined;
  }
  if (!CODE_FORM.test(q)) return undefined;
  const etch = await orNothing(reader.getByCode(q));
  if (etch) return `/e/${etch.id}`;
  const challenge = await findChallengeByCode(db, q);
  return challenge && `/ch/${challenge.id}`;
}

async function orNothing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  }
}
