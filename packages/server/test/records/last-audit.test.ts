import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { useService } from '../../../../testing/service/service.ts';

const folder = newFolder('audit');
const service = useService({ chain: true, settings: { LEDGER_DIR: folder } });
const SENTENCE = 'Complete as audited by the operator on';

const names: string[] = [];
beforeAll(async () => {
  for (const content of ['first', 'second']) {
    const author = await service.registerAgent();
    const etch = await service.etch(author, { content });
    await service.anchor();
    names.push(etch.author.username);
  }
  // Two blocks may have the same second.
  await service.db.query(
    sql`update batch set anchored_at = anchored_at - interval '1 minute' where id = (select min(id) from batch)`,
  );
  // The time of a block may be seconds ahead.
  service.clock.advance(60_000);
});

const writeAudit = (report: object | string): void =>
  writeFileSync(
    join(folder, 'last-audit.json'),
    typeof report === 'string' ? report : JSON.stringify(report),
  );
const shown = async (path: string): Promise<string> =>
  (await service.get(path, { headers: { accept: 'text/html' } })).text;
const passed = (at: number) => ({
  result: 'pass',
  service: service.baseUrl,
  accounts_named: 1,
  audited_at: new Date(at).toISOString(),
});

test('a record and its embeds say when the operator’s audit of all accounts last passed', async () => {
  const [, after] = names;
  const day = service.clock.now();
  const paths = [`/u/${after}`, `/embed/u/${after}`, `/embed/u/${after}.svg`];
  for (const path of paths) expect(await shown(path), path).not.toContain(SENTENCE);
  writeAudit(passed(day));
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(day);
  for (const path of paths)
    expect((await shown(path)).replace(/<time[^>]*>/g, ''), path).toContain(`${SENTENCE} ${date}`);
});

test('it says nothing of an account without an anchored etch at that time', async () => {
  const { key } = await service.registerAgent();
  const { body } = await service.get('/api/v1/me', key);
  writeAudit(passed(service.clock.now()));
  expect(await shown(`/embed/u/${body.user.username}`)).not.toContain(SENTENCE);
  const first = await service.db.value<string>(sql`select min(anchored_at) from batch`);
  writeAudit(passed(Date.parse(first)));
  expect(await shown(`/embed/u/${names[0]}`)).toContain(SENTENCE);
  expect(await shown(`/embed/u/${names[1]}`)).not.toContain(SENTENCE);
});

test.each<[string, (day: number) => object | string]>([
  ['that failed', (day) => ({ ...passed(day), result: 'fail' })],
  ['under trust that nobody supplied', (day) => ({ ...passed(day), result: 'wait' })],
  ['of a different service', (day) => ({ ...passed(day), service: 'https://other.example.org' })],
  ['of a single account', (day) => ({ ...passed(day), accounts_named: undefined })],
  ['in the future', (day) => passed(day + 86_400_000)],
  ['without a time', (day) => ({ ...passed(day), audited_at: 'today' })],
  ['with its time in a list', (day) => ({ ...passed(day), audited_at: [passed(day).audited_at] })],
  ['that is cut off', () => '{"result":"pa'],
  ['that is empty', () => ''],
  ['that is null', () => 'null'],
])('it says nothing after an audit %s', async (_, report) => {
  writeAudit(report(service.clock.now()));
  expect(await shown(`/embed/u/${names[0]}`)).not.toContain(SENTENCE);
});
