import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { readWords } from '@svc/protocol/conventions';
import { submissionWindow } from '../src/hub/submission-window.ts';
import { ends } from '../../../testing/clients/ends.ts';
import { useLosingProxy } from '../../../testing/clients/losing-proxy.ts';
import { useAccount } from './support/account.ts';
import {
  admin,
  csv,
  fileOf,
  GOOD,
  HEAD,
  hubOf,
  NEXT,
  PAST,
  pmf,
  quantiles,
  ROUND,
  tasks,
} from './support/hub.ts';

const { brotliCompressSync, gzipSync } = zlib;
/** Node.js 22.15 and newer. */
const { zstdCompressSync: zstd } = zlib as { zstdCompressSync?: (bytes: Uint8Array) => Uint8Array };

const { service, home, run, json } = useAccount({ pins: true });
const proxy = useLosingProxy(service);
const MODEL = 'weir-ar';
const FILE = fileOf(MODEL);
const apiKeyOf = (home: string): string =>
  JSON.parse(readFileSync(join(home, 'svc', 'profiles.json'), 'utf8')).profiles.default.api_key;
const recordOf = ({ at }: ReturnType<typeof hubOf>, model = MODEL, round = ROUND) =>
  JSON.parse(readFileSync(at(`.svc/${round}/${model}.json`), 'utf8'));
const submit = (path: string, ...more: string[]) => run(['hub', 'submit', path, ...more]);

describe('svc hub submit', () => {
  test('etches the salted hash with hub, round, model and window, and stores salt and receipt', async () => {
    const hub = hubOf({ [FILE]: csv(GOOD) });
    await ends(submit(hub.at(FILE), '--wait'), 0, { out: ['is etched', 'Attested at'] });
    const record = recordOf(hub);
    const [one] = record.submissions;
    const { canonical_string: canonical } = one.receipt;
    const words = readWords(canonical.slice(canonical.indexOf('svc-hub')));
    const hash = createHash('sha256').update(Buffer.from(one.salt, 'hex')).update(csv(GOOD)).digest('hex');
    const [opens, closes] = [-6, 3].map((days) => Date.parse(ROUND) + days * 86_400_000);
    expect(words).toMatchObject({
      hub: 'weirs/weir-hub',
      round: ROUND,
      model: MODEL,
      file: hash,
      prev: null,
    });
    expect(words).toMatchObject({
      opens: new Date(opens! + hoursOf(opens!)).toISOString().replace('.000', ''),
    });
    expect((words as any).closes).toBe(
      new Date(closes! + 86_399_000 + hoursOf(closes! + 86_400_000)).toISOString().replace('.000', ''),
    );
    expect(one.receipt.chain.anchored_at).toMatch(/Z$/);
  });

  test('etches an unchanged file once, and a changed one with the earlier etch', async () => {
    const hub = hubOf({ [FILE]: csv(GOOD) });
    const first = await json(['hub', 'submit', hub.at(FILE)]);
    expect(await json(['hub', 'submit', hub.at(FILE)])).toMatchObject({
      etched: false,
      submission: { etch: first.submission.etch },
    });
    hub.put(FILE, csv([...GOOD].reverse()));
    const second = await json(['hub', 'submit', hub.at(FILE), '--wait']);
    expect(second.submission.receipt.canonical_string).toContain(`prev=${first.submission.etch}`);
    expect(recordOf(hub).submissions.map(({ etch }: any) => etch)).toEqual([
      first.submission.etch,
      second.submission.etch,
    ]);
  });

  test('etches an unchanged file again in the window, if its etch was before', async () => {
    const file = fileOf(MODEL, NEXT);
    const hub = hubOf({ [file]: csv(GOOD, NEXT) });
    await ends(submit(hub.at(file), '--wait'), 0, { err: 'Run the command again in the window' });
    const due = { submissions_due: { relative_to: 'reference_date', start: -50, end: 3 } };
    hub.put('hub-config/tasks.json', JSON.stringify(tasks(due)));
    const etched = async () => (await json(['hub', 'submit', hub.at(file), '--new-window'])).etched;
    expect(await etched()).toBe(false);
    const record = recordOf(hub, MODEL, NEXT);
    // The receipt now says that the etch was before the window.
    record.submissions[0].receipt.chain.anchored_at = '2020-01-01T00:00:00.000Z';
    hub.put(`.svc/${NEXT}/${MODEL}.json`, JSON.stringify(record));
    expect(await etched()).toBe(true);
    expect(await etched()).toBe(false);
    const [first, second] = recordOf(hub, MODEL, NEXT).submissions;
    expect(second.content).toContain(`prev=${first.etch}`);
  });

  test('rejects a file that Git commits with other line endings', async () => {
    const crlf = csv(GOOD).replaceAll('\n', '\r\n');
    const hub = hubOf({ [FILE]: crlf });
    const git = (...args: string[]) => execFileSync('git', ['-C', hub.root, ...args]);
    git('init', '-q');
    git('config', 'core.autocrlf', 'true');
    await ends(submit(hub.at(FILE)), 66, {
      err: ['with other line endings', '"model-output/** -text" to .gitattributes', 'nothing was etched'],
    });
    hub.put('.gitattributes', 'model-output/** -text\n');
    await ends(submit(hub.at(FILE)), 0, { out: 'is etched' });
  });

  test('sends a request whose answer was lost again, under its key', async () => {
    const hub = hubOf({ [FILE]: csv(GOOD) });
    const more = { env: { SVC_BASE_URL: proxy.url, SVC_API_KEY: apiKeyOf(home) } };
    proxy.loses = 'POST';
    await ends(run(['hub', 'submit', hub.at(FILE)], more), 69);
    const lost = recordOf(hub).submissions;
    expect(lost).toMatchObject([{ etch: null, content: expect.stringContaining('svc-hub:v1') }]);
    proxy.loses = undefined;
    hub.put(FILE, csv([...GOOD].reverse()));
    await ends(run(['hub', 'submit', hub.at(FILE)], more), 0, { out: 'is etched' });
    const [first, second] = recordOf(hub).submissions;
    expect(first).toMatchObject({ salt: lost[0].salt, hash: lost[0].hash });
    expect(second.receipt.canonical_string).toContain(`prev=${first.etch}`);
  });

  test('keeps a complete receipt when the service returns less', async () => {
    const hub = hubOf({ [FILE]: csv(GOOD) });
    const { submission } = await json(['hub', 'submit', hub.at(FILE), '--wait']);
    expect(submission.receipt.canonical_string).not.toBeNull();
    await ends(run(['retract', submission.etch, '--yes']), 0);
    await ends(submit(hub.at(FILE)), 0, { out: ['is unchanged', 'Attested at'] });
    expect(recordOf(hub).submissions[0].receipt).toEqual(submission.receipt);
  });

  test('seals until the window closes', async () => {
    const hub = hubOf({ [FILE]: csv(GOOD) });
    const { submission } = await json(['hub', 'submit', hub.at(FILE), '--sealed']);
    const { etch } = await json(['show', submission.etch]);
    expect(etch).toMatchObject({
      status: 'sealed',
      content: null,
      description: 'A submission to a forecast hub',
    });
    expect(submission.content).toContain(`closes=${etch.reveal_at.replace('.000', '')}`);
  });

  test('submits a Parquet file, also compressed by gzip, brotli or zstd', async () => {
    for (const [format, codec] of [
      ['parquet', 'SNAPPY'],
      ['gz.parquet', 'GZIP'],
      ['brotli.parquet', 'BROTLI'],
      ...(zstd === undefined ? [] : [['zstd.parquet', 'ZSTD'] as const]),
    ] as const) {
      const file = fileOf(MODEL, ROUND, format);
      const hub = hubOf({ [file]: parquet({}, codec) });
      await ends(submit(hub.at(file)), 0, { out: 'is etched' });
    }
  });

  test('warns outside the window, and does not seal after it', async () => {
    for (const [round, words] of [
      [PAST, 'after'],
      [NEXT, 'before'],
    ] as const) {
      const file = fileOf(MODEL, round);
      const hub = hubOf({ [file]: csv(GOOD, round) });
      if (round === PAST)
        await ends(submit(hub.at(file), '--sealed'), 64, { err: 'the submission window has closed' });
      await ends(submit(hub.at(file)), 0, {
        err: new RegExp(`it is \\d+ d.* ${words} the submission window`),
      });
    }
  });
});

const hoursOf = (day: number): number => {
  const hours = new Intl.DateTimeFormat('en', { timeZone: 'US/Eastern', timeZoneName: 'longOffset' })
    .format(day)
    .slice(-5, -3);
  return Number(hours) * 3_600_000;
};

type Column = { name: string; data: unknown[]; type?: string };
function parquet(change: Record<string, Partial<Column> | null>, codec = 'SNAPPY'): Buffer {
  const rows = csv(GOOD)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  const columns = HEAD.split(',').flatMap((name, at) => {
    if (change[name] === null) return [];
    const cells = rows.map((row) => row[at]!);
    const numbers = name === 'horizon' || name === 'value';
    const data = numbers ? cells.map(Number) : cells.map((cell) => (cell === 'NA' ? null : cell));
    return [
      { name, data, type: name === 'horizon' ? 'INT32' : numbers ? 'DOUBLE' : 'STRING', ...change[name] },
    ];
  });
  const compressors = {
    GZIP: (bytes: Uint8Array) => gzipSync(bytes),
    BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes),
    ZSTD: zstd ?? ((bytes: Uint8Array) => bytes),
    LZ4: (bytes: Uint8Array) => bytes,
  };
  return Buffer.from(parquetWriteBuffer({ columnData: columns, codec, compressors } as never));
}

describe('accepts', () => {
  const [round] = tasks().rounds;
  const task = round!.model_tasks[0] as any;
  const tasksOf = (...model_tasks: object[]) => ({
    tasks: tasks({ model_tasks }),
  });
  const ids = task.task_ids;
  const withTypes = (output_type: object, task_ids: object = ids) =>
    tasksOf({ ...task, task_ids, output_type: { quantile: task.output_type.quantile, ...output_type } });
  const some = quantiles([1, 5, 7, 9, 20]);
  const good: [string, string, Parameters<typeof hubOf>[1]?][] = [
    ['a blank last line', `${csv(GOOD)}\n\n`],
    ['a head with CRLF and rows with LF', csv(GOOD).replace('\n', '\r\n')],
    [
      'an NA cell where the list has null and values',
      csv(quantiles([1, 5, 7, 9, 20], { location: 'NA' })),
      withTypes({}, { ...ids, location: { required: null, optional: [null, 'US'] } }),
    ],
    [
      'a value below 0 where the minimum is null',
      csv([...some, { type: 'median', value: -1 }]),
      withTypes({ median: { ...task.output_type.median, value: { type: 'double', minimum: null } } }),
    ],
    [
      'samples by their ids, as in schema version 2',
      csv([...some, { type: 'sample', id: 2, value: 1 }]),
      withTypes({
        sample: { output_type_id: { required: null, optional: [1, 2] }, value: { type: 'integer' } },
      }),
    ],
    [
      'a derived task id of another model task',
      csv(some, ROUND),
      {
        tasks: tasks({
          derived_task_ids: ['location'],
          model_tasks: [
            { ...task, task_ids: { ...ids, location: { required: null, optional: ['01'] } } },
            { ...task, task_ids: { ...ids, target: { required: null, optional: ['other'] } } },
          ],
        }),
      },
    ],
  ];
  test.each(good)('%s', async (_what, content, configuration) => {
    const hub = hubOf({ [FILE]: content }, configuration);
    await ends(submit(hub.at(FILE)), 0, { out: 'is etched' });
  });

  test.each(['data/model_output', 'model-output/'])('the output folder %s', async (folder) => {
    const file = `${folder.replace(/\/$/, '')}/${MODEL}/${ROUND}-${MODEL}.csv`;
    const hub = hubOf({ [file]: csv(GOOD) }, { admin: admin({ model_output_dir: folder }) });
    await ends(submit(hub.at(file)), 0, { out: `${file} is etched` });
  });

  test('levels of Parquet with 32 bits', async () => {
    const file = fileOf(MODEL, ROUND, 'parquet');
    const levels = quantiles([1, 5, 7, 9, 20]).map(({ id }) => Number(id));
    const cells = (cell: unknown) => levels.map(() => cell);
    const data = { location: cells('US'), reference_date: cells(ROUND), target: cells('inc hosp') };
    const change = {
      ...Object.fromEntries(Object.entries(data).map(([name, own]) => [name, { data: own }])),
      horizon: { data: cells(1) },
      output_type: { data: cells('quantile') },
      output_type_id: { data: levels, type: 'FLOAT' },
      value: { data: levels, type: 'FLOAT' },
    };
    const hub = hubOf({ [file]: parquet(change) });
    await ends(submit(hub.at(file)), 0, { out: 'is etched' });
  });
});

describe('rejects without an etch or a change', () => {
  const bad: [string, string, string | RegExp, Parameters<typeof hubOf>[1]?][] = [
    [
      'a file of a round that tasks.json lacks',
      csv(GOOD, '2020-01-01'),
      'which hub-config/tasks.json does not have',
    ],
    [
      'a file whose rows are of another round',
      csv(GOOD, NEXT),
      `reference_date is "${NEXT}", but the file's name says round ${ROUND}`,
    ],
    [
      'a missing column',
      csv(GOOD).replace(',value', ',number'),
      'wrong columns, without value, with "number" unknown or twice',
    ],
    [
      'a column given twice',
      csv(GOOD).replace('location', 'value'),
      'wrong columns, without location, with "value"',
    ],
    ['a duplicate key', csv([...GOOD, GOOD[3]!]), 'a second row for quantile 0.75'],
    ['a quantile that falls', csv(quantiles([1, 5, 4, 9, 20])), 'quantile 0.5 is 4, below 5 of 0.25'],
    ['a missing quantile', csv(quantiles([1, 5, 7, 9])), 'quantile 0.975 is missing'],
    [
      'an unknown level',
      csv([...GOOD, { type: 'quantile', id: 0.6, value: 8 }]),
      'output_type_id of quantile is "0.6"',
    ],
    [
      'a value that is no number',
      csv([...GOOD, { type: 'sample', id: 3, value: 'many' }]),
      'value is "many"; accepted: an integer from 0',
    ],
    [
      'a value below the minimum',
      csv(quantiles([-1, 5, 7, 9, 20])),
      'value is "-1"; accepted: a number from 0',
    ],
    [
      'an unknown location',
      csv(quantiles([1, 5, 7, 9, 20], { location: '99' })),
      'location is "99"; accepted: US, 01',
    ],
    [
      'an unknown output type',
      csv([...GOOD, { type: 'mode', value: 1 }]),
      'output_type is "mode"; accepted: median',
    ],
    [
      'probabilities that sum to 0.9',
      csv([...GOOD.slice(0, -3), ...pmf([0.2, 0.4, 0.3])]),
      /sum to 0\.9\d*, not to 1/,
    ],
    [
      'a sample too few',
      csv([...quantiles([1, 5, 7, 9, 20]), { type: 'sample', id: 1, value: 5 }]),
      '1 samples; accepted: 2 to 3',
    ],
    [
      'a sample index twice',
      csv([...GOOD, { type: 'sample', id: 2, value: 5 }]),
      'a sample index occurs twice',
    ],
    [
      'a required output type that is missing',
      csv([{ type: 'median', value: 7 }]),
      'the output type quantile is required and missing',
    ],
    [
      'a required horizon that is missing',
      csv(quantiles([1, 2, 3, 4, 5], { horizon: 2 })),
      'horizon 1 is required and missing',
    ],
    [
      'a text in a numeric column',
      csv(quantiles([1, 5, 7, 9, 20], { horizon: 'soon' })),
      'horizon is "soon"; accepted: 1, 2',
    ],
    [
      'a required output type of schema version 2 that is missing',
      csv([{ type: 'median', value: 7 }]),
      'the output type quantile is required and missing',
      {
        tasks: tasks(
          {},
          {
            quantile: {
              output_type_id: { required: [0.025, 0.25, 0.5, 0.75, 0.975] },
              value: { type: 'double' },
            },
          },
        ),
      },
    ],
    [
      'a window that begins on a day that no calendar has',
      csv(GOOD),
      'rounds[0].submissions_due has neither',
      { tasks: tasks({ submissions_due: { start: '2026-02-30', end: '2026-03-05' } }) },
    ],
    [
      'a window out of range',
      csv(GOOD),
      'submissions_due of hub-config/tasks.json is out of range',
      { tasks: tasks({ submissions_due: { relative_to: 'reference_date', start: 0, end: 1e12 } }) },
    ],
    ['a line that is cut', `${csv(GOOD)}US,2026`, 'cannot be parsed'],
    ['no row', `${HEAD}\n`, 'has no row'],
    ['no byte', '', 'is empty'],
    [
      'an unknown time zone',
      csv(GOOD),
      'timezone "Mars/Olympus" is not a name',
      { admin: admin({ timezone: 'Mars/Olympus' }) },
    ],
    [
      'a window without an end',
      csv(GOOD),
      'rounds[0].submissions_due has neither',
      { tasks: tasks({ submissions_due: { start: '2026-01-01' } }) },
    ],
    [
      'a window that ends before it starts',
      csv(GOOD),
      'before it starts',
      { tasks: tasks({ submissions_due: { start: '2026-02-01', end: '2026-01-01' } }) },
    ],
    ['tasks.json that is no JSON object', csv(GOOD), 'tasks.json is not an object', { tasks: [] }],
  ];
  test.each(bad)('%s', async (what, content, message, configuration) => {
    const file = what.includes('tasks.json lacks') ? fileOf(MODEL, '2020-01-01') : FILE;
    const hub = hubOf({ [file]: content }, configuration);
    const ran = await submit(hub.at(file));
    expect(ran.status, ran.err).not.toBe(0);
    expect(ran.err).toMatch(
      typeof message === 'string' ? new RegExp(message.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')) : message,
    );
    expect(existsSync(hub.at('.svc'))).toBe(false);
  });

  test.each([
    [
      'a text as value',
      {
        value: {
          data: csv(GOOD)
            .trim()
            .split('\n')
            .slice(1)
            .map(() => '1'),
          type: 'STRING',
        },
      },
      'the column value has type text; accepted: number, integer',
    ],
    [
      'a text as horizon',
      { horizon: { data: Array(GOOD.length).fill('1'), type: 'STRING' } },
      'the column horizon has type text; accepted: integer, number',
    ],
    [
      'a time as date',
      { reference_date: { data: Array(GOOD.length).fill(new Date(ROUND)), type: 'TIMESTAMP' } },
      /reference_date has type TIMESTAMP\w*; accepted: date, text/,
    ],
    ['no location', { location: null }, 'without location'],
  ])('a Parquet file with %s', async (_what, change, message) => {
    const file = fileOf(MODEL, ROUND, 'parquet');
    const hub = hubOf({ [file]: parquet(change) });
    await ends(submit(hub.at(file)), 1, { err: [message, 'nothing was etched'] });
    expect(existsSync(hub.at('.svc'))).toBe(false);
  });

  test('a Parquet file with a codec that cannot be read', async () => {
    const file = fileOf(MODEL, ROUND, 'parquet');
    const codecs = [
      ['LZ4', 'compressed with LZ4, which svc cannot read; or write the file with one of snappy, gzip'],
    ];
    if (zstd === undefined) codecs.push(['ZSTD', 'cannot read: use 22.15 or newer; or write the file']);
    for (const [codec, words] of codecs) {
      const hub = hubOf({ [file]: parquet({}, codec) });
      await ends(submit(hub.at(file)), 1, { err: [words!, 'nothing was etched'] });
    }
  });

  test('bytes that are not Parquet, and a format that the hub does not accept', async () => {
    const file = fileOf(MODEL, ROUND, 'parquet');
    await ends(submit(hubOf({ [file]: 'PAR' }).at(file)), 1, { err: 'cannot be parsed' });
    const only = { admin: admin({ file_format: ['csv'] }) };
    await ends(submit(hubOf({ [file]: parquet({}) }, only).at(file)), 66, {
      err: 'has the format parquet; the hub accepts csv',
    });
  });

  test('a file outside a hub, in a wrong folder, and a missing file', async () => {
    const hub = hubOf({ 'other/x.csv': 'a', 'model-output/weir-ar/2026-01-03-weir-b.csv': csv(GOOD) });
    await ends(submit('/tmp/none/model-output/x.csv'), 66, { err: 'is not in a checkout of a hub' });
    for (const name of ['other/x.csv', 'model-output/weir-ar/2026-01-03-weir-b.csv'])
      await ends(submit(hub.at(name)), 66, { err: 'is not named model-output/<team>-<model>/' });
    await ends(submit(hub.at(FILE)), 66, { err: 'cannot be read (ENOENT)' });
  });

  test('a changed file after the window was rewritten, until the user accepts it', async () => {
    const hub = hubOf({ [FILE]: csv(GOOD) });
    await ends(submit(hub.at(FILE)), 0);
    const before = readFileSync(hub.at(`.svc/${ROUND}/${MODEL}.json`));
    hub.put(
      'hub-config/tasks.json',
      JSON.stringify(tasks({ submissions_due: { relative_to: 'reference_date', start: -6, end: 9 } })),
    );
    hub.put(FILE, csv([...GOOD].reverse()));
    await ends(submit(hub.at(FILE)), 64, {
      err: ['tasks.json was rewritten', '--new-window', 'nothing was etched'],
    });
    expect(readFileSync(hub.at(`.svc/${ROUND}/${MODEL}.json`))).toEqual(before);
    await ends(submit(hub.at(FILE), '--new-window'), 0);
  });

  test('a record of another model, a damaged one, and a file of a renamed team', async () => {
    const hub = hubOf({ [FILE]: csv(GOOD) });
    await ends(submit(hub.at(FILE)), 0);
    const record = hub.at(`.svc/${ROUND}/${MODEL}.json`);
    const renamed = fileOf('flood-ar');
    hub.put(renamed, '');
    renameSync(hub.at(FILE), hub.at(renamed));
    await ends(submit(hub.at(renamed)), 66, {
      err: ['is the file that weir-ar etched', 'nothing was etched'],
    });
    hub.put(`.svc/${ROUND}/flood-ar.json`, readFileSync(record));
    await ends(submit(hub.at(renamed)), 66, {
      err: 'is of the model "weir-ar", not of "flood-ar": after a rename',
    });
    writeFileSync(hub.at(`.svc/${ROUND}/flood-ar.json`), '{}');
    await ends(submit(hub.at(renamed)), 66, { err: 'is not a file that svc hub submit wrote' });
    expect(readFileSync(hub.at(`.svc/${ROUND}/flood-ar.json`), 'utf8')).toBe('{}');
  });
});

describe('the submission window', () => {
  const due = (start: string, end: string) => ({ relativeTo: null, start, end });
  test.each([
    [
      'a week without a change',
      'US/Eastern',
      '2026-01-05',
      '2026-01-07',
      '2026-01-05T05:00:00Z',
      '2026-01-08T04:59:59Z',
    ],
    [
      'the start of daylight saving',
      'America/New_York',
      '2026-03-07',
      '2026-03-08',
      '2026-03-07T05:00:00Z',
      '2026-03-09T03:59:59Z',
    ],
    [
      'the end of daylight saving',
      'America/New_York',
      '2026-10-31',
      '2026-11-01',
      '2026-10-31T04:00:00Z',
      '2026-11-02T04:59:59Z',
    ],
    [
      'a day without a midnight',
      'Africa/Cairo',
      '2026-04-24',
      '2026-04-24',
      '2026-04-23T22:00:00Z',
      '2026-04-24T20:59:59Z',
    ],
    [
      'a zone ahead of UTC',
      'Pacific/Kiritimati',
      '2026-01-01',
      '2026-01-01',
      '2025-12-31T10:00:00Z',
      '2026-01-01T09:59:59Z',
    ],
    [
      'a zone of quarters',
      'Asia/Kathmandu',
      '2026-01-01',
      '2026-01-01',
      '2025-12-31T18:15:00Z',
      '2026-01-01T18:14:59Z',
    ],
    ['a leap day', 'UTC', '2028-02-28', '2028-02-29', '2028-02-28T00:00:00Z', '2028-02-29T23:59:59Z'],
  ])('spans %s', (_, zone, start, end, opens, closes) => {
    expect(submissionWindow(due(start, end), zone, '')).toEqual({ opens, closes });
  });

  test('counts days from the reference date', () => {
    const relative = { relativeTo: 'reference_date', start: -6, end: -3 };
    const [opens, closes] = ['2022-10-16T04:00:00Z', '2022-10-20T03:59:59Z'];
    expect(submissionWindow(relative, 'US/Eastern', '2022-10-22')).toEqual({ opens, closes });
    expect(() => submissionWindow(relative, 'US/Eastern', 'round_1')).toThrow(
      'reference_date is "round_1", not a date',
    );
  });
});
