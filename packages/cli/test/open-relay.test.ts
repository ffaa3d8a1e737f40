import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localChain } from '../../../testing/beacon/chain.mjs';
import { expect, test } from 'vitest';
import { useServer } from '../../../testing/machine/server.ts';
import { svcHere } from './support/svc-here.ts';
import { freshHome } from '../../../testing/clients/svc.ts';

const { openings, beacon } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../vectors/valid/openings.json'), 'utf8'),
);
const home = freshHome();
const file = join(home, 'opening.json');
writeFileSync(file, JSON.stringify(openings[0].opening));

let answer: { status?: number; body: unknown };
const asked: string[] = [];
const server = useServer((request, response) => {
  asked.push(request.url!);
  const { status = 200, body } = answer;
  response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
});

async function open(): Promise<string> {
  const { status, out } = await svcHere(['open', file, '--drand', server.url], { home });
  expect(out.includes('It will rain on Sunday.')).toBe(status === 0);
  return `${status} ${/^(?:PASS|WAIT|FAIL) +([\w-]+)/m.exec(out)?.[1]}`;
}

const elsewhere = localChain({ genesis: 1_700_000_000, period: 1 });
test.each<[string, typeof answer, string]>([
  ['tells the signature', { body: beacon }, '0 opened'],
  ['is late', { status: 404, body: { error: 'no such round' } }, '2 sealed'],
  ['tells it in pieces', { body: '{"signature":' }, '2 sealed'],
  ['tells nothing of use', { body: { round: beacon.round, signature: 5 } }, '2 sealed'],
  ['tells a page of a megabyte', { body: 'x'.repeat(1_000_000) }, '2 sealed'],
  ['forges', { body: { ...beacon, signature: `${beacon.signature.slice(0, -2)}00` } }, '2 other-beacon'],
  ['tells another chain’s', { body: { signature: elsewhere.sign(beacon.round) } }, '2 other-beacon'],
  ['fails', { status: 500, body: 'out of order' }, '2 sealed'],
])('a relay that %s', async (_, relayed, found) => {
  answer = relayed;
  expect(await open()).toBe(found);
  expect(new Set(asked)).toEqual(new Set([`/${openings[0].opening.chain_hash}/public/${beacon.round}`]));
});

test('a relay that is down', async () => {
  const { status, out, err } = await svcHere(['open', file, '--drand', 'http://127.0.0.1:9'], { home });
  expect([status, out]).toEqual([69, '']);
  expect(err).toContain('cannot be reached');
});
