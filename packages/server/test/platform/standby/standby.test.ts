// Runs on PostgreSQL only.
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { eventually } from '../../../../../testing/wait.ts';
import { hide, takeDownDescription } from '../../../src/acts/moderation-store.ts';
import type { StandbyStatus } from '../../../src/platform/standby/standby.ts';
import { openChallenge } from '../../challenges/support.ts';
import { type Feed, get, HOUR, type Searched, search, sealedFor } from '../../discovery/support.ts';
import { countAsked, type Followed, MAX_AGE_MS, startFollowed, whilePaused } from './support.ts';

let followed: Followed;
// Hooks run in reverse order: the service drops its database first.
afterAll(() => followed.stop());
const service = useService(async () => {
  followed = await startFollowed();
  return { database: { server: followed.primary.url }, standby: (parts) => followed.open(parts) };
});

const status = (): StandbyStatus => followed.opened.standby.status();

/** Returns the server that answered, and why the primary did. */
async function answered(work: () => Promise<unknown>): Promise<string[]> {
  const before = status().lists;
  await work();
  return Object.entries(status().lists).flatMap(([by, count]) =>
    Array.from({ length: count - before[by as keyof typeof before] }, () => by),
  );
}

/** Waits until the standby has replayed everything and no recent write is pending. */
async function settled(): Promise<void> {
  await service.runTask('reveal');
  await service.runTask('search');
  service.clock.advance(2 * MAX_AGE_MS + 1_000);
  await eventually('the standby answers', async () => {
    await service.runTask('standby');
    return (await answered(() => search(service, {}))).includes('standby');
  });
}

let ada: TestAgent;
let reader: TestAgent;
beforeAll(async () => void ([ada, reader] = await service.agents(2)));
const hidden = (why: 'spam' | null) =>
  hide(service.db, ada.username, why, { by: 'test', now: service.clock.now() });

const retract = async (id: string): Promise<void> => {
  const answer = await service.retract(ada, id);
  expect(answer.status, answer.text).toBe(200);
};
const feed = async (): Promise<Feed> => (await get(service, 'feed', {}, reader.key)).body as Feed;
const home = () => service.get('/', { headers: { accept: 'application/json' } });

test('reads from the primary while there is no etch, so that a hidden account disappears at once', async () => {
  const asked = await openChallenge(service, ada);
  await service.runTask('search');
  service.clock.advance(2 * MAX_AGE_MS + 1_000);
  await eventually('the standby is well', async () => {
    await service.runTask('standby');
    return status().problem === undefined;
  });
  const shown = async (): Promise<boolean> => (await home()).text.includes(asked.id);
  expect(await answered(async () => expect(await shown()).toBe(true))).toEqual(['behind']);
  await whilePaused(followed.follower, async () => {
    await hidden('spam');
    expect(await shown()).toBe(false);
    await hidden(null);
  });
});

test('reads lists on the standby, and single items never', async () => {
  const etch = await service.etch(ada, { content: 'A heron stood there.', category_id: 'science' });
  await settled();
  const lists = [
    () => search(service, { q: 'heron' }),
    () => search(service, { category: 'science', status: 'revealed' }),
    () => get(service, 'search/accounts', { q: ada.username }),
    () => get(service, 'search/challenges', { q: 'who' }),
    () => get(service, 'challenges', {}),
    () => feed(),
    () => home(),
    () => service.get('/sitemap.xml'),
  ];
  for (const list of lists) {
    const asked = countAsked(followed.primary, 'etch_search', () =>
      answered(list).then((by) => expect(by).toEqual(['standby'])),
    );
    expect(await asked).toBe(0);
  }
  const there = await countAsked(followed.follower, 'etch_search', () => search(service, { q: 'heron' }));
  expect(there).toBeGreaterThan(0);
  const single = async (): Promise<void> => {
    for (const path of [`etches/${etch.id}`, `etches/${etch.id}/receipt`, `users/${ada.username}/etches`])
      expect((await get(service, path, {})).status).toBe(200);
    expect((await get(service, 'me', {}, ada.key)).status).toBe(200);
  };
  expect(await countAsked(followed.follower, 'select', single)).toBe(0);
});

test('a retraction the standby has not replayed applies to every list, and its words are not searched there', async () => {
  const etch = await service.etch(ada, { content: 'A bittern boomed.', category_id: 'science' });
  await settled();
  const listed = async (query: Record<string, string>): Promise<[number, string[]]> => {
    const { page, etches }: Searched = await search(service, query);
    return [page.total, etches.map(({ id }) => id)];
  };
  expect(await listed({ q: 'bittern' })).toEqual([1, [etch.id]]);
  const [standing] = await listed({ status: 'revealed' });
  await whilePaused(followed.follower, async () => {
    await retract(etch.id);
    const looked = await countAsked(followed.follower, 'etch_search', async () => {
      expect(await listed({ q: 'bittern' })).toEqual([0, []]);
      expect((await listed({ status: 'revealed' }))[0]).toBe(standing - 1);
      expect((await feed()).etches.map(({ id }) => id)).not.toContain(etch.id);
      expect(JSON.stringify((await home()).body)).not.toContain('bittern');
    });
    expect(looked).toBe(0);
    expect(await answered(() => search(service, { q: 'bittern' }))).toEqual(['behind']);
  });
  await settled();
  expect(await answered(() => search(service, { q: 'bittern' }))).toEqual(['standby']);
  expect(await listed({ q: 'bittern' })).toEqual([0, []]);
});

test('finds a reveal at once; a hidden account disappears at once', async () => {
  const sealed = await sealedFor(service, ada, HOUR, { content: 'The crane comes back.' });
  service.clock.advance(HOUR - 2 * MAX_AGE_MS - 4_000);
  await settled();
  await whilePaused(followed.follower, async () => {
    const crane = () => search(service, { q: 'crane' });
    expect((await crane()).page.total).toBe(0);
    service.clock.advance(3_000);
    expect(await answered(crane)).toEqual(['due']);
    expect(await answered(crane)).toEqual(['behind']);
    const found = await crane();
    expect([found.page.total, found.etches[0]?.id]).toEqual([1, sealed.id]);
  });
  await settled();
  await whilePaused(followed.follower, async () => {
    expect((await feed()).etches.map(({ author }) => author.user_id)).toContain(ada.userId);
    await hidden('spam');
    expect(await answered(feed)).toEqual(['behind']);
    expect((await feed()).etches.map(({ author }) => author.user_id)).not.toContain(ada.userId);
    await hidden(null);
  });
});

test('a description that the operator took down disappears at once', async () => {
  const { id } = await service.etch(ada, { description: 'The heron of pond 7', category_id: 'science' });
  await settled();
  const listed = async () => JSON.stringify((await search(service, { topic: 'science' })).etches);
  expect(await listed()).toContain('pond 7');
  await whilePaused(followed.follower, async () => {
    const operator = { by: 'test', now: service.clock.now() };
    await takeDownDescription(service.db, { target: 'etch', target_id: id }, 'illegal', operator);
    expect(await listed()).not.toContain('pond 7');
  });
});

type Read = Parameters<typeof followed.opened.standby.read<string>>[1];
const expectByPrimary = async (read: Read) =>
  expect(await followed.opened.standby.read(undefined, read, async () => 'primary')).toBe('primary');

test('an act on the primary between reading on the standby and answering discards the answer', async () => {
  const etch = await service.etch(ada);
  await settled();
  await expectByPrimary(async (reading) => {
    await reading.tx((tx) => tx.query(sql`select 1 from etch_search`));
    await retract(etch.id);
    return 'standby';
  });
});

test('an author finds their own writes at once; others when the standby or the primary has them', async () => {
  await settled();
  await whilePaused(followed.follower, async () => {
    const etch = await service.etch(ada, { content: 'An egret waded by.' });
    await service.runTask('search');
    const find = async (key?: string): Promise<string[]> =>
      (await search(service, { q: 'egret' }, key)).etches.map(({ id }) => id);
    expect(await find(ada.key)).toEqual([etch.id]);
    expect(await answered(() => find(reader.key))).toEqual(['standby']);
    expect(await find(reader.key)).toEqual([]);
    service.clock.advance(MAX_AGE_MS + 1);
    expect(await answered(() => find(reader.key))).toEqual(['old']);
    await service.runTask('standby');
    expect(status().problem).toBe('its copy is 5 s old');
    expect(await find(reader.key)).toEqual([etch.id]);
  });
});

describe('the primary answers without delay for a standby', () => {
  const finds = async (): Promise<void> => {
    expect((await search(service, { q: 'heron' })).page.total).toBe(1);
  };

  test('whose query conflicts with replaying', async () => {
    await settled();
    await expectByPrimary((reading) =>
      reading.tx(async (tx) => {
        await tx.query(sql`select 1 from etch_search`);
        await service.db.tx((own) => own.query(sql`lock table etch_search in access exclusive mode`));
        for (;;) await tx.query(sql`select pg_sleep(0.05)`);
      }),
    );
  });

  test('that was killed and comes back', async () => {
    await settled();
    await followed.follower.kill9();
    expect(await answered(finds)).not.toContain('standby');
    await service.runTask('standby');
    expect(await answered(finds)).toEqual(['down']);
    await followed.follower.restart();
    await settled();
    expect(await answered(finds)).toEqual(['standby']);
  });

  test('that does not answer', async () => {
    await settled();
    followed.follower.freeze();
    const waiting = answered(finds);
    await service.runTask('standby');
    expect(await waiting).toEqual(['down']);
    expect(status().problem).toBe('it does not answer');
    await followed.follower.kill9();
    await followed.follower.restart();
    await settled();
  });

  test('that was promoted, also on open connections', async () => {
    await settled();
    await followed.follower.promote();
    expect(await answered(finds)).not.toContain('standby');
    await service.runTask('standby');
    expect(status().problem).toBe('it cannot be reached');
    await finds();
  });
});
