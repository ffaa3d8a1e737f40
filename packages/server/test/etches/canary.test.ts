import { createHash } from 'node:crypto';
import { ROUTES } from '@svc/contract';
import { QUICKNET } from '@svc/protocol/timelock';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import type { Reply } from '../../../../testing/clients/client.ts';
import type { TestPerson } from '../../../../testing/service/acts.ts';
import { useService } from '../../../../testing/service/service.ts';
import { everyRow, forms } from './support.ts';

/**
 * Reads every GET operation as every kind of caller, and every page, and searches them for sealed and retracted
 * secrets.
 */
const service = useService({ chain: true, settings: { GUIDE_ENABLED: 'true', GUIDE_READERS: 'reader' } });
const SEALED = 'canary-sealed-4c1e';
const RETRACTED = 'canary-retracted-93ab';

interface Known {
  id: string;
  code: string;
  hash: string;
}
let author: TestAgent;
let reader: TestPerson;
let etches: Known[];
let challenge: { id: string; code: string };
let roots: string[];
let secrets: string[];

async function make(content: string, fields: object): Promise<Known> {
  const digest = createHash('sha256').update(content).digest('hex');
  const signature = author.sign(`svc-sig:v1|${author.userId}|${digest}`);
  const etch = await service.etch(author, { content, signature, description: 'A guess', ...fields });
  secrets.push(signature);
  return etch;
}

beforeAll(async () => {
  secrets = [...forms(SEALED), ...forms(RETRACTED)];
  author = await service.registerAgent();
  reader = await service.signIn('reader');
  const { id: asked } = await service.ask(author);
  challenge = (await service.get(`/api/v1/challenges/${asked}`)).body.challenge;
  const open = await make(RETRACTED, {});
  const { salt, created_at } = await service.read(open.id);
  etches = [
    open,
    await make(SEALED, { mode: 'delayed', reveal_at: service.at(3_600_000) }),
    await make(SEALED, { mode: 'delayed', challenge_id: challenge.id }),
  ];
  await service.anchor();
  await service.retract(author, open.id);
  await service.anchor();
  secrets.push(...forms(salt).slice(0, 1), created_at);
  secrets.push(
    ...(await service.db.column<string>(sql`select created_at from etch where status = 'sealed'`)),
  );
  for (const [type, id] of [
    ['user', author.userId],
    ['challenge', challenge.id],
    ...etches.map(({ id }) => ['etch', id] as const),
  ] as const)
    await service.post('/api/v1/follows', { target_type: type, target_id: id }, reader.token);
  await service.runTask('search');
  await service.runTask('events');
  roots = (await service.get('/api/v1/batches')).body.batches.map(({ root }: { root: string }) => root);
  expect(roots.length).toBeGreaterThan(0);
});

function pathsOf(path: string): string[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const values: Record<string, string[]> = {
    id: [...etches.map(({ id }) => id), challenge.id],
    root: roots.flatMap((root) => [`${root}`, `${root}?kind=1`]),
    username: [author.username],
    chain: [QUICKNET.hash],
    round: ['1', '99999999'],
  };
  return names.reduce(
    (paths, name) => paths.flatMap((one) => values[name]!.map((value) => one.replace(`{${name}}`, value))),
    [path],
  );
}

const QUERIES: Record<string, string[]> = {
  findEtchByHash: ['hash'],
  searchEtches: `?q=${SEALED} ?q=${RETRACTED} ?q=guess&sort=oldest ?following=1 ?status=sealed ?`.split(' '),
  searchAccounts: ['?q=agent', '?category=ai', '?category=science&sort=most'],
  searchChallenges: ['', '?q=will'],
  listChallenges: ['', '?status=all&sort=most'],
  listUserEtches: ['', '?limit=1'],
  listEvents: ['', '?limit=1'],
};

/** The answer may contain the search term itself. */
function expectSilent(answer: Reply, path: string): void {
  const seen = `${JSON.stringify([...answer.headers])}\n${answer.text}`.replaceAll(
    path.split('?q=')[1] ?? '\0',
    '',
  );
  for (const secret of secrets) expect(seen.includes(secret), `${path} shows ${secret}`).toBe(false);
}

describe('hides a sealed and a retracted text', () => {
  const reading = Object.values(ROUTES).filter(({ method }) => method === 'GET');

  test.each(reading.map((route) => [route.operationId, route.path] as const))(
    'from every caller of %s',
    async (operation, path) => {
      const queries =
        operation === 'findEtchByHash'
          ? etches.map(({ hash }) => `?hash=${hash}`)
          : (QUERIES[operation] ?? ['']);
      let well = 0;
      for (const one of pathsOf(path))
        for (const query of queries)
          for (const key of [undefined, author.key, reader.token]) {
            const answer = await service.get(one + query, key);
            if (answer.status === 200) well++;
            expectSilent(answer, one + query);
          }
      // This service has no webhook and no relay, so no deliveries and no rounds.
      if (!['listDeliveries', 'getBeacon'].includes(operation)) expect(well).toBeGreaterThan(0);
    },
  );

  test('from pages, documents, feeds and metrics', async () => {
    const paths = `/ /challenges /search?q=${SEALED} /search?q=${RETRACTED} /u/${author.username}
      /u/${author.username}/record.md /ch/${challenge.id} /ch/${challenge.code} /docs /llms.txt /llms-full.txt
      /docs/agents.md /metrics /readyz`.split(/\s+/);
    for (const { id, code } of etches)
      paths.push(
        ...`${id} ${code} ${id}.md ${id}/verify ${id}/receipt.html`.split(' ').map((end) => `/e/${end}`),
      );
    paths.push(...etches.map(({ id }) => `/e/${id}/receipt.html?evidence=1`));
    for (const path of paths)
      for (const accept of ['text/html', 'application/json', 'text/markdown']) {
        const answer = await service.get(path, { headers: { accept } });
        expect(answer.status, path).toBeLessThan(500);
        expectSilent(answer, path);
      }
  });

  test('from the log and from every table', async () => {
    const held = await everyRow(service.db);
    const said = service.log.join('\n');
    // Rows contain times, so only texts and signatures count.
    for (const secret of secrets.filter((one) => !/^\d{4}-/.test(one))) {
      expect(held.includes(secret), `the database holds ${secret}`).toBe(false);
      if (secret !== SEALED && secret !== RETRACTED)
        expect(said.includes(secret), `the log holds ${secret}`).toBe(false);
    }
  });
});
