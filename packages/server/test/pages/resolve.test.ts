import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { newReader, type Shown } from '../../../../testing/clients/reader.ts';
import { instant, signedIn, useAda, write } from './ada.ts';

const { service, ada } = useAda();
const HOUR = 3_600_000;
const SOURCE = 'https://gauge.example.org';

async function ask(question: string): Promise<string> {
  const preview = await ada.send('/challenges/new', {
    ...ada.hidden(await ada.open('/challenges/new')),
    question,
    category_id: 'science',
    reveal_at: service.at(HOUR).slice(0, 16),
    step: 'preview',
  });
  const asked = await ada.send('/challenges/new', { ...ada.hidden(preview), step: 'ask' });
  return asked.location!.slice('/ch/'.length);
}

async function previewAt(path: string, fields: Record<string, string>): Promise<Shown> {
  const page = await ada.open(path);
  expect(page.status, page.text).toBe(200);
  return ada.send(path, { ...ada.hidden(page), ...fields, step: 'preview' });
}

it('resolves a closed challenge from the inbox, as its creator alone', async () => {
  const id = await ask('Does it rain? [yes|no]');
  const path = `/ch/${id}/resolve`;
  expect((await ada.open(path)).status).toBe(422);
  service.clock.advance(2 * HOUR);
  await service.runTask('reveal');
  await service.runTask('events');
  expect((await ada.open('/inbox')).text).toMatch(
    new RegExp(`Closed: resolve it[^]*>Does it rain\\?<[^]*href="${path}"`),
  );
  expect((await ada.open(`/ch/${id}`)).text).toContain(`href="${path}"`);
  const bea = await signedIn(service, 'bea');
  expect((await bea.open(`/ch/${id}`)).text).toMatch(/Waiting for [^]*@ada[^]* to resolve/);
  expect((await bea.open(path)).status).toBe(403);
  expect((await newReader(service.baseUrl).open(path)).location).toMatch(/^\/sign-in/);

  const page = await ada.open(path);
  for (const outcome of ['yes', 'no', 'void']) expect(page.text).toContain(`value="${outcome}"`);
  const missing = await previewAt(path, {});
  expect(missing.status).toBe(400);
  expect(missing.text).toMatch(/Choose what came true[^]*Say where anyone can check it/);
  const misfit = await previewAt(path, { outcome: 'perhaps', source: SOURCE });
  expect(misfit.text).toContain('the question has no outcome perhaps');
  const stranger = newReader(service.baseUrl);
  const ended = await stranger.send(path, { outcome: 'yes', source: SOURCE, step: 'etch' });
  expect(ended.status).toBe(401);
  expect(ended.text).toMatch(new RegExp(`You are not signed in any more[^]*value="${SOURCE}"`));
  const preview = await previewAt(path, { outcome: 'yes', source: SOURCE });
  expect([preview.status, preview.text.includes('Check before you publish')]).toEqual([200, true]);
  expect(preview.text).toContain(`svc-resolution:v1 ${id} yes ${SOURCE}`);
  const fields = { ...ada.hidden(preview), step: 'etch' };
  const done = await ada.send(path, fields);
  expect(done.status, done.text).toBe(303);
  const etchId = done.location!.slice('/e/'.length);
  const { etch } = (await service.get(`/api/v1/etches/${etchId}`)).body;
  expect(etch).toMatchObject({
    mode: 'instant',
    description: `svc-resolution:v1 ${id}`,
    content: `svc-resolution:v1 ${id} yes ${SOURCE}`,
    category: { id: 'science' },
  });
  expect((await ada.send(path, fields)).location).toBe(`/e/${etchId}`);
  expect((await ada.open(path)).location).toBe(`/e/${etchId}`);
  const inbox = (await ada.open('/inbox')).text;
  expect(inbox).not.toContain('resolve it');
  expect(inbox).toMatch(/Closed: its answers are open[^]*>yours<[^]*>Does it rain\?</);
  expect((await bea.open(`/ch/${id}`)).text).toMatch(
    new RegExp(`href="/e/${etchId}">resolved it</a>: <bdi>yes</bdi>[^]*once it is anchored`),
  );
  expect((await bea.open(`/ch/${id}`)).text).not.toContain('Waiting for');
});

it('resolves a question that requires a number, and rejects other text', async () => {
  const id = await write(ada, { ...instant, content: 'svc-forecast:v1 q10=1 q50=2 q90=4' });
  const path = `/e/${id}/resolve`;
  expect((await ada.open(`/e/${id}`)).text).toContain(`href="${path}"`);
  const wrong = await previewAt(path, { outcome: '12,5', source: SOURCE });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('value="12,5"');
  const voided = await previewAt(path, { outcome: '', void: 'on', source: SOURCE });
  expect(voided.text).toContain(`${id} void ${SOURCE}`);
  const preview = await previewAt(path, { outcome: ' 12.5 ', source: `the  gauge ` });
  const back = await ada.send(path, { ...ada.hidden(preview), step: 'edit' });
  expect(back.text).toContain('value="12.5"');
  const done = await ada.send(path, { ...ada.hidden(preview), step: 'etch' });
  expect((await ada.open(`/e/${id}`)).text).not.toContain(`href="${path}"`);
  const { etch } = (await service.get(`/api/v1/etches/${done.location!.slice(3)}`)).body;
  expect(etch.content).toBe(`svc-resolution:v1 ${id} 12.5 the gauge`);
  await ada.send(`${done.location!}/retract`, {});
  expect((await ada.open(path)).text).toContain('stays unresolved permanently');
});

it('resolves nothing else', async () => {
  const plain = await write(ada, instant);
  expect((await ada.open(`/e/${plain}/resolve`)).status).toBe(422);
  const forecast = await write(ada, { ...instant, content: 'svc-forecast:v1 yes=0.7' });
  const bea = await signedIn(service, 'bea');
  expect((await bea.open(`/e/${forecast}/resolve`)).status).toBe(403);
  const text = await ask('When does it rain?');
  service.clock.advance(2 * HOUR);
  expect((await ada.open(`/ch/${text}/resolve`)).status).toBe(422);
  expect((await ada.open(`/ch/${text}`)).text).not.toContain(`/ch/${text}/resolve`);
  for (const kind of ['ch', 'e'])
    expect((await ada.open(`/${kind}/${randomUUID()}/resolve`)).status).toBe(404);
});
