import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { seeded } from '../../../../testing/seeded.ts';
import { type FeedPlace, readFeed } from '../../src/discovery/feed-store.ts';
import { HOUR, MINUTE } from './support.ts';

// Compares the feed with a second implementation of docs/feed.md, for windows that cut through creations, reveals and
// the newest etches of followed accounts.
const db = useDatabase();
const dice = seeded(4);
const START = Date.parse('2026-03-01T00:00:00.000Z');
const time = (at: number): string => new Date(at).toISOString();

interface Author {
  id: string;
  isHidden: boolean;
  isFollowed: boolean;
  hasSignal: boolean;
}
interface Etch {
  id: string;
  author: Author;
  topic: string;
  status: 'sealed' | 'revealed' | 'retracted';
  createdAt: number;
  revealAt: number | null;
}

const caller = randomUUID();
const authors: Author[] = Array.from({ length: 12 }, (_, at) => ({
  id: randomUUID(),
  isHidden: at % 5 === 4,
  isFollowed: at < 3,
  hasSignal: at % 2 === 0 || at < 3,
}));
const FOLLOWED_TOPIC = 'ai';
const SPAN = 3 * 24 * 60;
/** Times collide, also with the bounds of windows. */
const moment = (): number => START + 20 * MINUTE * dice.below(SPAN / 20);
const etches: Etch[] = Array.from({ length: 700 }, (_, at) => {
  const author = at < 260 ? authors[at % 2]! : dice.pick(authors);
  const createdAt = moment();
  const isInstant = dice.chance(3);
  const revealAt = isInstant ? null : createdAt + 20 * MINUTE * (1 + dice.below(100));
  const isOpen = isInstant || revealAt! <= START + SPAN * MINUTE;
  return {
    id: randomUUID(),
    author,
    topic: dice.pick(['ai', 'science', 'sports']),
    status: dice.chance(9) ? 'retracted' : isOpen ? 'revealed' : 'sealed',
    createdAt,
    revealAt,
  };
});

beforeAll(async () => {
  for (const { id, isHidden, hasSignal } of [{ id: caller, isHidden: false, hasSignal: false }, ...authors]) {
    await db.query(sql`
      insert into account (id, kind, username, display_name, created_at, hidden_for, social_verified_at)
      values (${id}, 'human', ${`u${id.slice(0, 8)}`}, 'U', ${time(START)}, ${isHidden ? 'spam' : null},
        ${hasSignal ? time(START) : null})`);
  }
  for (const [type, target] of [
    ...authors.filter(({ isFollowed }) => isFollowed).map(({ id }) => ['user', id] as const),
    ['category', FOLLOWED_TOPIC] as const,
  ])
    await db.query(sql`
      insert into follow (user_id, target_type, target_id, created_at)
      values (${caller}, ${type}, ${target}, ${time(START)})`);
  for (const { id, author, topic, status, createdAt, revealAt } of etches)
    await db.query(sql`
      insert into etch_search (etch_id, user_id, category_id, status, created_at, reveal_at, text)
      values (${id}, ${author.id}, ${topic}, ${status}, ${time(createdAt)}, ${revealAt === null ? null : time(revealAt)}, '')`);
});

function expected({ asOf, createdFrom, revealedFrom }: FeedPlace): { id: string; score: number }[] {
  const [until, created, revealed] = [Date.parse(asOf), Date.parse(createdFrom), Date.parse(revealedFrom)];
  const isOpenBy = ({ status, revealAt }: Etch): boolean =>
    status === 'revealed' && revealAt !== null && revealAt <= until;
  const newestOf = (author: Author): Etch[] =>
    etches
      .filter((etch) => etch.author === author && etch.createdAt <= until)
      .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      .slice(0, 50);
  const pool = new Set([
    ...etches.filter(({ createdAt }) => createdAt >= created && createdAt <= until),
    ...etches.filter((etch) => isOpenBy(etch) && etch.revealAt! >= revealed),
    ...authors.filter(({ isFollowed }) => isFollowed).flatMap(newestOf),
  ]);
  return [...pool]
    .filter(({ status, author }) => status !== 'retracted' && !author.isHidden)
    .map((etch) => ({
      id: etch.id,
      score:
        (isOpenBy(etch) ? etch.revealAt! : etch.createdAt) +
        (etch.author.isFollowed ? 18 * HOUR : etch.author.hasSignal ? 0 : -12 * HOUR) +
        (etch.topic === FOLLOWED_TOPIC ? 6 * HOUR : 0),
    }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1));
}

test.each(Array.from({ length: 12 }, (_, at) => at))(
  'ranks each creation, reveal and followed etch once: window %i',
  async () => {
    const asOf = moment() + 20 * MINUTE;
    const back = (): string => time(asOf - 20 * MINUTE * dice.below(120));
    const place = { asOf: time(asOf), createdFrom: back(), revealedFrom: back() };
    const all = expected(place);
    expect(await readFeed(db, caller, place, 1_000)).toEqual(all);
    const [before, after] = [all[7], all[8]];
    if (before !== undefined)
      expect((await readFeed(db, caller, { ...place, after: before }, 1))[0]).toEqual(after);
  },
);
