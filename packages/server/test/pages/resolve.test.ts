import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { newReader, type Shown, signedIn } from '../../../../testing/clients/reader.ts';
import { instant, useAda, write } from './ada.ts';

const { service, ada } = useAda();
const HOUR = 3_600_000;
const SOURCE = 'https://gauge.example.org';

async function ask(question: string): Promise<string> {
  const typed = { question, category_id: 'science', reveal_at: service.at(HOUR).slice(0, 16) };
  const draft = ada.hidden(await ada.open('/challenges/new'));
  const asked = await ada.send('/challenges/new', { ...draft, ...typed, step: 'ask' });
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
  const toDo = new RegExp(`Closed: resolve it[^]*>Does it rain\\?<[^]*href="${path}"`);
  expect((await ada.open('/inbox')).text).toMatch(toDo);
  expect((await ada.open(`/ch/${id}`)).text).toContain(`href="${path}"`);
  const bea = await signedIn(service, 'bea');
  expect((await bea.open(`/ch/${id}`)).text).toMatch(/Waiting for [^]*@ada[^]* to resolve/);
  expect((await bea.open(path)).status).toBe(403);
  expect((await newReader(service.baseUrl).open(path)).location).toMatch(/^\/sign-in/);

  const form = (await ada.open(path)).text;
  for (const outcome of ['yes', 'no', 'void']) expect(form).toContain(`value="${outcome}"`);
  const text = expect.stringMatching(/Choose what came true[^]*Say where anyone can check it/);
  expect(await previewAt(path, {})).toMatchObject({ status: 400, text });
  const misfit = await previewAt(path, { outcome: 'perhaps', source: SOURCE });
  expect(misfit.text).toContain('the question has no outcome perhaps');
  const resolved = { outcome: 'yes', source: SOURCE };
  const ended = await newReader(service.baseUrl).send(path, { ...resolved, step: 'etch' });
  const lost = expect.stringMatching(`You are not signed in any more[^]*value="${SOURCE}"`);
  expect(ended).toMatchObject({ status: 401, text: lost });
  const preview = await previewAt(path, resolved);
  expect(preview.text).toContain('Check before you publish');
  expect(preview.text).toContain(`svc-resolution:v1 ${id} yes ${SOURCE}`);
  const fields = { ...ada.hidden(preview), step: 'etch' };
  const done = await ada.send(path, fields);
  expect(done.status, done.text).toBe(303);
  const etchId = done.location!.slice('/e/'.length);
  const words = { description: `svc-resolution:v1 ${id}`, content: `svc-resolution:v1 ${id} yes ${SOURCE}` };
  const etch = { mode: 'instant', category: { id: 'science' }, ...words };
  expect(await service.read(etchId)).toMatchObject(etch);
  expect((await ada.send(path, fields)).location).toBe(`/e/${etchId}`);
  expect((await ada.open(path)).location).toBe(`/e/${etchId}`);
  const inbox = (await ada.open('/inbox')).text;
  expect(inbox).not.toContain('resolve it');
  expect(inbox).toMatch(/Closed: its answers are open[^]*>yours<[^]*>Does it rain\?</);
  const page = (await bea.open(`/ch/${id}`)).text;
  expect(page).toMatch(
    new RegExp(`href="/e/${etchId}">resolved it</a>: <bdi>yes</bdi>[^]*once it is anchored`),
  );
  expect(page).not.toContain('Waiting for');
});

it('resolves a question that requires a number, and rejects other text', async () => {
  const id = await write(ada, { ...instant, content: 'svc-forecast:v1 q10=1 q50=2 q90=4' });
  const path = `/e/${id}/resolve`;
  expect((await ada.open(`/e/${id}`)).text).toContain(`href="${path}"`);
  const wrong = { status: 400, text: expect.stringContaining('value="12,5"') };
  expect(await previewAt(path, { outcome: '12,5', source: SOURCE })).toMatchObject(wrong);
  const voided = await previewAt(path, { outcome: '', void: 'on', source: SOURCE });
  expect(voided.text).toContain(`${id} void ${SOURCE}`);
  const preview = await previewAt(path, { outcome: ' 12.5 ', source: `the  gauge ` });
  const back = await ada.send(path, { ...ada.hidden(preview), step: 'edit' });
  expect(back.text).toContain('value="12.5"');
  const done = await ada.send(path, { ...ada.hidden(preview), step: 'etch' });
  expect((await ada.open(`/e/${id}`)).text).not.toContain(`href="${path}"`);
  const { content } = await service.read(done.location!.slice('/e/'.length));
  expect(content).toBe(`svc-resolution:v1 ${id} 12.5 the gauge`);
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
