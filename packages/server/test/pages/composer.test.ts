import { QUICKNET, roundAt, sealBlind } from '@svc/protocol/timelock';
import { expect, it } from 'vitest';
import type { Shown } from '../../../../testing/clients/reader.ts';
import { inDays, instant, useAda, write } from './ada.ts';

const { service, ada } = useAda();
const count = async (author = 'ada'): Promise<number> =>
  (await service.get(`/api/v1/users/${author}/etches`)).body.counts.total;

const ROOT = `svc-files:v1 root=${'ab'.repeat(32)} files=3`;
const NO_NAMES = { forecast_name_1: '', forecast_name_2: '' };
const OUTCOMES = { forecast_name_0: 'yes', forecast_0: '', forecast_name_1: 'red', forecast_name_2: 'blue' };
const preview = (typed: Record<string, string>) =>
  ada.send('/write', { ...instant, ...typed, step: 'preview' });
const messagesOf = (text: string) =>
  [...text.matchAll(/<a href="#\w+"><bdi>([^<]*)/g)].map(([, said]) => said);
const refused = (part: string) => ({ status: 400, text: expect.stringContaining(part) });
const etch = (fields: Record<string, string>) => ada.send('/write', { ...fields, step: 'etch' });
const made = ({ status, text, location }: Shown) => {
  expect(status, text).toBe(303);
  return service.read(location!.slice('/e/'.length));
};

it('seals a text until a date in UTC', async () => {
  const reveal = inDays(3);
  const id = await write(ada, { ...instant, content: 'CANARY-9', mode: 'delayed', reveal_at: reveal });
  const sealed = { status: 'sealed', content: null, reveal_at: `${reveal}:00.000Z` };
  expect(await service.read(id)).toMatchObject(sealed);
  expect((await ada.open(`/e/${id}`)).text).not.toContain('CANARY-9');
});

it('seals for a week by a preset, and offers the words to save', async () => {
  const sealed = { ...instant, content: 'KEPT-1\n <b>', mode: 'delayed', reveal_at: '', opens_in: 'week' };
  const draft = ada.hidden(await ada.open('/write'));
  const shown = ada.hidden(await preview({ ...draft, ...sealed }));
  const at = Date.parse(`${shown['reveal_at']}Z`);
  expect(Math.abs(at - service.clock.now() - 7 * 86_400_000)).toBeLessThanOrEqual(300_000);
  const copy = await ada.send('/write', { ...shown, step: 'copy' });
  expect(copy.text).toBe('KEPT-1\n <b>');
  expect(copy.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const named = /^attachment; filename="sealed-words-[\d-]{10}\.txt"$/;
  expect(copy.headers.get('content-disposition')).toMatch(named);
  const wrong = await etch({ ...shown, description: '' });
  expect(wrong.headers.getSetCookie().join()).not.toContain('etched');
  expect(wrong.text).not.toContain(`data-etched="${draft['draft']}`);
  const done = await etch(shown);
  expect((await ada.open(done.location!)).text).toContain(`<body data-etched="${draft['draft']}">`);
});

it('lets Back show the answer to a form from the cache, with the same cookies only', async () => {
  const cookies = ada.cookie();
  for (const step of [preview(instant), preview({ ...instant, content: '' })]) {
    const { headers } = await step;
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['private, no-cache', 'Cookie']);
  }
  const { location } = await etch({ ...ada.hidden(await preview(instant)) });
  await ada.open(location!);
  expect(ada.cookie()).toBe(cookies);
});

it('etches a draft once, however often it is sent', async () => {
  const draft = ada.hidden(await ada.open('/write'));
  const before = await count();
  const sent = await Promise.all(Array.from({ length: 5 }, () => etch({ ...draft, ...instant })));
  expect(new Set(sent.map(({ status, location }) => `${status} ${location}`)).size).toBe(1);
  expect(await count()).toBe(before + 1);
});

it('treats a different text under the same draft as a new draft, and keeps it', async () => {
  const draft = ada.hidden(await ada.open('/write'));
  await etch({ ...draft, ...instant });
  const again = await etch({ ...draft, ...instant, content: 'The tide turns at seven.' });
  expect(again.status).toBe(409);
  expect(again.text).toMatch(/what is below is a new draft[^]*The tide turns at seven\./);
  expect(ada.hidden(again)['draft']).not.toBe(draft['draft']);
});

it('keeps the entered text and shows errors next to it', async () => {
  const answer = await preview({ content: '<b>Ahoy</b> & "so"\n\n  on', description: '', mode: '' });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('\n&lt;b>Ahoy&lt;/b> &amp; &quot;so&quot;\n\n  on</textarea>');
  expect(messagesOf(answer.text)).toEqual(['Write a description.', 'Choose when the words become public.']);
  expect(answer.text).toMatch(/<a href="#description">[^]*<a href="#mode">/);
  expect(answer.text).toMatch(/<textarea id="description"[^>]*aria-invalid="true"/);
  expect(answer.text).toContain('<option value="science" selected>');
  expect(answer.text).toContain('<title>Not done yet:');
});

it('puts a forecast before the words, and shows its errors before etching', async () => {
  const before = await count();
  for (const [bad, at, message] of [
    [{ forecast_0: '172%' }, 0, '172% is not a chance'],
    [{ forecast_0: '140' }, 0, '“yes”: 140 % is not a chance: write a percentage from 0 to 100'],
    [{ forecast_0: 'NaN' }, 0, 'NaN % is not a chance'],
    [{ forecast_1: '50' }, 2, 'Outcome blue” has a name and no probability'],
    [{ forecast_name_2: '', forecast_1: '50', forecast_2: '50' }, 2, 'has a probability and no name'],
    [{ forecast_name_1: 'dark\u202ered', forecast_1: '50' }, 1, 'has an invalid name'],
  ] as const) {
    const answer = await preview({ ...OUTCOMES, ...bad });
    expect(answer).toMatchObject(refused(message));
    expect(answer.text).toMatch(new RegExp(`<input id="forecast_${at}"[^>]*aria-invalid="true"`));
  }
  for (const [bad, message] of [
    [{ forecast_1: '70', forecast_2: '50 %' }, 'Your chances add up to 120 %: 20 % too much.'],
    [{ forecast_1: '50', forecast_2: '40' }, 'Your chances add up to 90 %: 10 % is missing.'],
    [{ forecast_0: '50', forecast_line: 'q10=3' }, 'quantiles and outcomes appear together'],
    [{ forecast_line: Array.from({ length: 101 }, (_, n) => `o${n}=0`).join(' ') }, 'at most 100 outcomes'],
  ] as const) {
    const answer = await preview({ ...OUTCOMES, ...bad, ...(!('forecast_1' in bad) && NO_NAMES) });
    expect(answer).toMatchObject(refused(message));
    expect(answer.text).toContain('<a href="#forecast"><bdi>Your chances');
  }
  const good = await preview({ ...OUTCOMES, forecast_1: '50', forecast_2: '50' });
  expect(good.text).toContain('svc-forecast:v1 red=0.5 blue=0.5\n');
  expect(good.text).toMatch(/<p class="said-large">.*red 50 %/);
  const written = { forecast_name_5: 'q10', forecast_5: '1e6', forecast_line: 'q50=2.5E+6' };
  expect((await preview(written)).text).toContain('svc-forecast:v1 q10=1000000 q50=2500000\n');
  const typed = await preview({ content: 'svc-forecast:v1 yes=NaN' });
  expect(typed).toMatchObject(refused('Your words would count as plain text: NaN is not a probability'));
  expect(typed.text).toContain('name="as_text"');
  expect(await count()).toBe(before);
  const id = await write(ada, { ...instant, forecast_name_0: 'yes', forecast_0: '72' });
  expect((await service.read(id)).content).toBe(`svc-forecast:v1 yes=0.72\n${instant.content}`);
  const asText = await preview({ content: 'svc-forecast:v1 as ever', as_text: 'on' });
  expect(asText.text).toContain('It counts as a text, as you chose: <bdi>as is not');
});

it('reads percent in the fields, also decimals in the line, and writes decimals', async () => {
  for (const [red, blue, written] of [
    ['72', '28 %', 'red=0.72 blue=0.28'],
    ['72%', '28', 'red=0.72 blue=0.28'],
    ['0.5 %', '99.5', 'red=0.005 blue=0.995'],
    ['1', '99', 'red=0.01 blue=0.99'],
    ['100', '0%', 'red=1 blue=0'],
    ['0.2', '99.8', 'red=0.002 blue=0.998'],
    ['1.5', '98.5', 'red=0.015 blue=0.985'],
  ] as const) {
    const shown = await preview({ ...OUTCOMES, forecast_1: red, forecast_2: blue });
    expect(ada.hidden(shown)['content']).toBe(`svc-forecast:v1 ${written}\n${instant.content}`);
  }
  const line = await preview({ forecast_line: 'red=72 % blue=28' });
  expect(ada.hidden(line)['content']).toContain('red=0.72 blue=0.28\n');
  const ambiguous = '<a href="#forecast_line"><bdi>The line of the forecast: 1 has two meanings';
  expect((await preview({ forecast_line: 'red=1 blue=0' })).text).toContain(ambiguous);
});

it('accepts a blind seal from a browser only if it is valid and opens late enough', async () => {
  const seal = (seconds: number) =>
    sealBlind(QUICKNET, roundAt(QUICKNET, Date.now() + seconds * 1000), 'CANARY-B', new Uint8Array(48));
  const sent = (content: string) => etch({ ...instant, content, blind: 'on' });
  for (const [content, message] of [
    ['CANARY-B', 'Your words would count as plain text'],
    [seal(-30), 'Your words would count as plain text'],
    [seal(60), 'The time at which it opens must lie at least 5 min ahead.'],
  ] as const) {
    expect(await sent(content)).toMatchObject(refused(message));
  }
  const content = seal(86_400);
  expect(await made(await sent(content))).toMatchObject({ mode: 'instant', content });
});

it('rejects a kind without its fields, and ignores fields of a different kind', async () => {
  for (const [kind, message] of [
    ['forecast', 'Give a forecast.'],
    ['files', 'Add files, or choose “Text”.'],
  ] as const) {
    const wrong = await preview({ kind, description: '' });
    expect(wrong).toMatchObject(refused(`<a href="#${kind}"><bdi>${message}`));
    expect(wrong.text).toContain('Write a description.');
  }
  const text = await preview({ forecast_name_0: 'yes', forecast_0: '72', files: ROOT, kind: 'text' });
  expect(ada.hidden(text)['content']).toBe(instant.content);
});

it('etches a commitment to files only after “I saved the manifest”', async () => {
  const shown = await preview({ kind: 'files', files: ROOT });
  expect(ada.hidden(shown)['content']).toBe(`${ROOT}\n${instant.content}`);
  expect(shown.text).toContain(`data-listed="${ROOT}"`);
  expect(shown.text).toMatch(/<input (?=[^>]*name="manifest_saved")[^>]*required/);
  const before = await count();
  const unsaved = await etch(ada.hidden(shown));
  expect(unsaved).toMatchObject(refused('<a href="#manifest_saved"><bdi>Save the manifest, then tick'));
  expect(await count()).toBe(before);
  const back = await ada.send('/write', { ...ada.hidden(unsaved), step: 'edit' });
  for (const text of [ROOT, instant.content]) expect(back.text).toContain(`>\n${text}</textarea>`);
  const { id, content } = await made(await etch({ ...ada.hidden(unsaved), manifest_saved: 'on' }));
  expect(content).toBe(`${ROOT}\n${instant.content}`);
  expect((await ada.open(`/e/${id}/verify`)).text).toMatch(/data-files="svc-files:v1 root=/);
  const list = `svc-files:v1\n${'a'.repeat(64)}  tide.csv\n`;
  const listed = await preview({ kind: 'files', content: '', files: list });
  expect(listed.status, listed.text).toBe(200);
  expect(listed.text).not.toContain('manifest_saved');
});

it('has a preregistration form with a required field for each section', async () => {
  const { text } = await ada.open('/write?template=preregistration');
  expect(text).toMatch(/id="section_hypothesis"[^]*id="section_stop_rules"[^]*id="description"/);
  expect(text).not.toContain('name="content"');
  const { content: _, ...rest } = instant;
  const plan = { ...rest, kind: 'preregistration', section_hypothesis: 'It rains.', section_sample: ' ' };
  const before = await count();
  const partial = await ada.send('/write', { ...plan, description: '', step: 'preview' });
  expect(partial).toMatchObject(refused('>\nIt rains.</textarea>'));
  const missing = ['Design', 'Sample', 'Analysis', 'Exclusion rules', 'Stop rules'];
  const sections = missing.map((name) => `Write the section “${name}”.`);
  expect(messagesOf(partial.text)).toEqual([...sections, 'Write a description.']);
  const whole = {
    ...plan,
    section_design: 'Two\nlines.',
    section_sample: 'Forty days.',
    section_analysis: 'A count.',
    section_exclusion_rules: 'None.',
    section_stop_rules: 'After forty days.',
  };
  const shown = await ada.send('/write', { ...whole, step: 'preview' });
  expect(shown.status, shown.text).toBe(200);
  expect(shown.text).toContain('Hypothesis, Design, Sample, Analysis, Exclusion rules, Stop rules');
  const back = await ada.send('/write', { ...ada.hidden(shown), step: 'edit' });
  expect(back.text).toContain('>\nTwo\nlines.</textarea>');
  expect(await count()).toBe(before);
  const { id, content } = await made(await etch(ada.hidden(shown)));
  expect(content).toMatch(/^# Hypothesis\nIt rains\.\n\n# Design\nTwo\nlines\.\n/);
  const row = '<dt>Preregistration</dt><dd>Hypothesis, Design, Sample, Analysis,';
  expect((await ada.open(`/e/${id}`)).text).toContain(row);
  const long = { ...whole, section_design: 'd'.repeat(2_000), step: 'preview' };
  expect((await ada.send('/write', long)).text).toContain('must have at most 2,000 characters');
});

it('counts code points with the same limit as the API', async () => {
  const description = 'é'.repeat(140);
  expect((await preview({ content: '😀'.repeat(2_000), description })).status).toBe(200);
  const over = await preview({ content: '😀'.repeat(2_001), description });
  expect(over).toMatchObject(refused('at most 2,000 characters'));
  expect(over.text).toContain('2,001 of 2,000 characters');
});

it('hashes the lines of the preview, not a browser’s line ends', async () => {
  const content = ' first\n\nsecond\n';
  const id = await write(ada, { ...instant, content });
  expect(await service.read(id)).toMatchObject({ content });
});

it('runs no script from the entered text', async () => {
  const hostile = '</textarea><script>alert(1)</script>"\'><img src=x onerror=alert(2)>\u202e';
  const fields = { ...instant, content: hostile, description: hostile, draft: hostile, reveal_at: hostile };
  for (const step of ['edit', 'preview'])
    expect((await ada.send('/write', { ...fields, step })).text).not.toMatch(/<script>alert|<img/);
});
