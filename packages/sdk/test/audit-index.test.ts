import { createClient, generateKeyPair, type KeptIndex } from '@svc/sdk';
import { beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../testing/json.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { eventually } from '../../../testing/wait.ts';

const service = useSharedService();
let change: (path: string, body: Json) => Json = (_, body) => body;
let asked: string[] = [];
let isRebuilt = false;
const REBUILT = { error: { code: 'service_unavailable', message: 'the index is being rebuilt' } };
/** A service whose operator changes answers. */
const changed: typeof fetch = async (input, init) => {
  const { pathname, search } = new URL(input as string);
  asked.push(pathname + search);
  if (isRebuilt && pathname.startsWith('/log/index/'))
    return Response.json(REBUILT, { status: 503, headers: { 'retry-after': '10' } });
  const answer = await fetch(input, init);
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return answer;
  return Response.json(change(pathname, await answer.json()), { status: answer.status });
};

let username: string;
let trust: Awaited<ReturnType<ReturnType<typeof createClient>['facts']>>['trust'];
const audit = (kept?: KeptIndex) =>
  createClient({ baseUrl: service.url, fetch: changed }).auditIndex(username, { trust, kept });

beforeAll(async () => {
  const stranger = createClient({ baseUrl: service.url });
  ({ trust } = await stranger.facts());
  const { agent, apiKey } = await stranger.registerAgent(generateKeyPair());
  ({ username } = agent);
  const client = stranger.as(apiKey);
  const about = { description: 'A bird', category_id: 'science', mode: 'instant' } as const;
  await Promise.all(['A heron.', 'A bittern.'].map((content) => client.etch({ ...about, content })));
  await eventually('the index has both etches', async () => {
    const answer = await fetch(`${service.url}/log/index/${agent.user_id}`);
    return answer.ok && (await answer.json()).count >= 2;
  });
});

test('waits for a witness of the reader, and reads only new entries with the kept state', async () => {
  const { result, findings, kept, trust: by } = await audit();
  expect({ result, by }).toMatchObject({ result: 'wait', by: { pinned: true, source: 'caller' } });
  expect(findings).toMatchObject({ faults: [], unproven: [], record: { faults: [], unproven: [] } });
  expect(findings.index).toMatchObject({ read: 2, recomputedBy: [] });
  asked = [];
  expect((await audit(kept!)).findings.index).toMatchObject({ read: 0 });
  expect(asked.filter((path) => path.includes('from=2'))).toHaveLength(1);
});

test('fails for an etch that the record leaves out or changes, and for an index that has fewer entries than before', async () => {
  const { kept } = await audit();
  change = (_, body) => (body.etches === undefined ? body : { ...body, etches: body.etches.slice(1) });
  const left = await audit();
  expect(left.result).toBe('fail');
  expect(left.findings.record!.faults.map(({ what }) => what)).toEqual(['missing']);
  const hash = 'ab'.repeat(32);
  change = (_, body) =>
    body.etches === undefined
      ? body
      : { ...body, etches: [{ ...body.etches[0], hash }, ...body.etches.slice(1)] };
  const differs = await audit();
  expect(differs.result).toBe('fail');
  expect(differs.findings.record!.faults.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['altered', 'missing']),
  );
  const fewer = { count: 1, from: 0, before: [] };
  change = (path, body) =>
    path.startsWith('/log/index/') ? { ...body, ...fewer, entries: body.entries.slice(0, 1) } : body;
  const lacking = await audit(kept!);
  change = (_, body) => body;
  expect(lacking).toMatchObject({ result: 'fail', kept: null });
  expect(lacking.findings.faults).toEqual(['the account has 1 entries, and had 2: entries are missing']);
});

test('rejects the kept state of another account, and a policy without the log of the service', async () => {
  const { kept } = await audit();
  const other = { ...kept!, user_id: '00000000-0000-4000-8000-000000000000' };
  await expect(audit(other)).rejects.toThrow(TypeError);
  await expect(audit(other)).rejects.toThrow('the kept state is of the account 00000000-0000');
  const client = createClient({ baseUrl: service.url });
  const unnamed = client.auditIndex(username, { policy: 'quorum none\n' });
  await expect(unnamed).rejects.toThrow(
    /policy: it has no log \S+\/log; name the keys of the log with logKeys/,
  );
});

test('waits while the index is being rebuilt, and says when to try again', async () => {
  isRebuilt = true;
  const { result, kept, findings } = await audit().finally(() => (isRebuilt = false));
  expect({ result, kept }).toEqual({ result: 'wait', kept: null });
  expect(findings.unproven).toEqual([
    expect.stringContaining(
      '(the index is being rebuilt); this says nothing about the record: try again in 10 s',
    ),
  ]);
});

test('refuses an unknown account, and a witness that the policy does not name', async () => {
  const client = createClient({ baseUrl: service.url });
  await expect(client.auditIndex('nobody_of_this_name')).rejects.toMatchObject({ code: 'not_found' });
  const unnamed = client.auditIndex(username, { policy: 'quorum none\n', indexWitnesses: ['watch'] });
  await expect(unnamed).rejects.toThrow('indexWitnesses: the policy has no witness watch');
});
