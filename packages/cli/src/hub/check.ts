// `svc hub check`: one row for each file, one for each model.
import { basename, join } from 'node:path';
import { durationWords, hubTime, type HubWords } from '@svc/protocol/conventions';
import { inParallel } from '../audit/job.ts';
import { type Context, makeProgress, say } from '../context.ts';
import { CommandError, usageError } from '../exit.ts';
import { onDevelopment, worstResult } from '../verdict-words.ts';
import { changedFiles } from './changed-files.ts';
import type { CheckOptions } from './check-options.ts';
import { type HubFile, hubFile, hubFiles, namesIn, namesShown, windowOf } from './hub-file.ts';
import { type JudgedEntry, judgeEntry } from './judge-entry.ts';
import {
  byNumber,
  type FileRow,
  type JudgedFile,
  MODEL_COLUMNS,
  type ModelRow,
  modelRows,
} from './model-rows.ts';
import { type Format, markdownCell, printRows } from './print-rows.ts';
import { type Hub, readHub } from './read-hub.ts';
import { readRecord, RECORD_FOLDER, saltedHashes } from './record-file.ts';
import type { SubmissionWindow } from './submission-window.ts';

const COLUMNS = 'round,model,file,state,result,time,proof,account,username,etch,detail'.split(',');
/** Round and model name the file. */
const TERMINAL_COLUMNS = COLUMNS.filter((name) => name !== 'file' && name !== 'etch');

export type HubReport = Awaited<ReturnType<typeof checkHub>>;

export async function checkHub(folder: string, options: CheckOptions, context: Context) {
  const hub = await readHub(folder);
  const [allFiles, allKeys] = [hubFiles(hub), recordKeys(hub)];
  for (const name of ['round', 'model'] as const) {
    const [given, rounds] = [options[name], name === 'round' ? hub.rounds.flatMap(({ ids }) => ids) : []];
    const known = new Set([...rounds, ...[...allFiles, ...allKeys].map((one) => one[name])]);
    if (given !== undefined && !known.has(given))
      throw usageError(`--${name} ${given}: the hub has ${namesShown([...known].filter(Boolean).sort())}`);
  }
  const { changedSince, trust, policy, tsaCertificates } = options;
  const isPartial = [options.round, options.model, changedSince].some((one) => one !== undefined);
  const guards = [trust, policy, tsaCertificates];
  const changed = changedSince === undefined ? null : await changedFiles(hub, changedSince, guards);
  // A misnamed file has no round, but its name may have one.
  const isWanted = (one: HubFile | RecordKey) =>
    (options.model ?? one.model) === one.model &&
    (one.round === ''
      ? one.name!.includes(options.round ?? '')
      : (options.round ?? one.round) === one.round) &&
    (changed?.has(one) ?? true);
  const files = allFiles.filter(isWanted);
  const named = new Set(files.map(({ round, model }) => `${round}/${model}`));
  const orphans = allKeys.filter((key) => isWanted(key) && !named.has(`${key.round}/${key.model}`));
  const judged: JudgedFile[] = [];
  const progress = makeProgress(context);
  await inParallel([...files, ...orphans], options.parallel, async (one) => {
    judged.push(await judgeFile(hub, one, options, context));
    progress.show('files', judged.length, files.length + orphans.length);
  });
  progress.clear();
  const rows = judged.map(({ row }) => row).sort(byName);
  const known = { files: [...allFiles, ...allKeys], etches: await etchesOf(hub, allKeys) };
  const models: ModelRow[] = await modelRows(hub, judged, known, options, context);
  const results = [...rows, ...models].flatMap((row) => row.result ?? []);
  const isDevelopment = judged.some(({ entries }) => entries.some((entry) => entry.isDevelopment));
  const notes = changed?.notes ?? [];
  for (const { words, names } of notes) say(context, `Careful: ${words}: ${namesShown(names)}`);
  const claims = worstResult(results);
  // The author of the change supplied the configuration or the trust, so no claim passes under them.
  const isUnreviewed = claims === 'pass' && notes.length > 0;
  const result = rows.length === 0 || isUnreviewed ? 'wait' : claims;
  return { hub, files, rows, models, result, isDevelopment, isPartial, isUnreviewed, notes };
}

const byName = (a: FileRow, b: FileRow): number =>
  byNumber(a.round, b.round) || byNumber(a.model, b.model) || byNumber(a.file, b.file);

interface RecordKey {
  round: string;
  model: string;
  name: null;
}

const recordKeys = ({ root }: Hub): RecordKey[] =>
  namesIn(join(root, RECORD_FOLDER)).flatMap((round) =>
    namesIn(join(root, RECORD_FOLDER, round))
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({ round, model: basename(name, '.json'), name: null })),
  );

async function etchesOf(hub: Hub, keys: readonly RecordKey[]): Promise<Set<string>> {
  const etches = new Set<string>();
  for (const key of keys) {
    const record = await readRecord(hub, key).catch(() => null);
    for (const { etch } of record?.submissions ?? []) if (etch !== null) etches.add(etch);
  }
  return etches;
}

async function judgeFile(
  hub: Hub,
  file: HubFile | RecordKey,
  options: CheckOptions,
  context: Context,
): Promise<JudgedFile> {
  const { round, model, name } = file;
  const none = { time: null, proof: null, seconds: 0, account: null, username: null, etch: null };
  const row = { round, model, file: name ?? '', result: 'fail', ...none } as const;
  try {
    if (name !== null) hubFile(hub, file.path);
    const record = await readRecord(hub, file);
    if (record === null)
      return { row: { ...row, state: 'never committed', detail: 'no record in .svc' }, entries: [] };
    const entries = await Promise.all(
      record.submissions.map((_, at) => judgeEntry(record, at, options, context)),
    );
    if (name === null) {
      const { file: last = '' } = record.submissions.at(-1) ?? {};
      const detail = `${last} is not in the hub; a renamed team keeps its earlier files under the earlier name`;
      return { row: { ...row, file: last, state: 'file missing', detail }, entries };
    }
    // The progress counts the files.
    const silent = { show: () => undefined, clear: () => undefined };
    const salts = record.submissions.map(({ salt }) => salt);
    const hashes = await saltedHashes(file.path, salts, silent);
    const at = record.submissions.findLastIndex(({ hash }, index) => hash === hashes[index]);
    const decided = decide(entries, at, await windowOf(hub, file, silent));
    const note = record.hub === hub.name ? [] : [`etched for hub ${record.hub}`];
    const detail = [decided.detail, ...note].filter(Boolean).join('; ');
    return { row: { ...row, ...decided, detail }, entries };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { row: { ...row, state: 'unreadable', detail: error.message }, entries: [] };
  }
}

type Decided = Pick<FileRow, 'state' | 'result' | 'detail'> & Partial<FileRow>;

/** @param at index of the entry with the hash of the file; -1: none */
export function decide(
  entries: readonly JudgedEntry[],
  at: number,
  window: SubmissionWindow | null,
): Decided {
  const [entry, last] = [entries[at], entries.at(-1)];
  if (entry === undefined || last === undefined)
    return { state: 'changed', result: 'fail', detail: 'the file is not the one that was etched last' };
  const { etch, time, proof, author, words } = entry;
  const shown = {
    etch,
    time,
    proof,
    account: author?.user_id ?? null,
    username: author?.username ?? null,
  };
  const failed = (state: string, detail: string) => ({ ...shown, state, result: 'fail', detail }) as const;
  if (entry.result === 'fail') return failed('not proven', entry.detail);
  if (entry !== last) return failed('changed', `etch ${last.etch} is of a later file`);
  if (new Set(entries.flatMap((one) => one.author?.user_id ?? [])).size > 1)
    return failed('not proven', 'its etches are by different accounts');
  if (words === null || time === null)
    return { ...shown, state: 'pending', result: 'wait', detail: entry.detail };
  const notes = windowNotes(words, window, time);
  const { state, seconds } = hubTime(window ?? words, time);
  if (state === 'on_time') {
    const unread = entries.find((one) => one.author === null);
    const why = `the account of etch ${unread?.etch} is not known: ${unread?.detail}`;
    if (unread?.result === 'fail') return failed('not proven', why);
    if (unread !== undefined) return { ...shown, state: 'pending', result: 'wait', detail: why };
    if (entry.result !== 'pass') notes.push(entry.detail);
    return { ...shown, state: 'on time', result: entry.result, detail: notes.join('; ') };
  }
  const wasOnTime = entries
    .slice(0, at)
    .some((one) => one.words && one.time && hubTime(window ?? one.words, one.time).state === 'on_time');
  const [name, by] =
    state === 'early'
      ? ['early', `${durationWords(seconds)} before the window`]
      : [wasOnTime ? 'changed after the deadline' : 'late', `by ${durationWords(seconds)}`];
  return { ...failed(name, [by, ...notes].join('; ')), seconds };
}

function windowNotes(words: HubWords, window: SubmissionWindow | null, time: string): string[] {
  const { opens, closes } = words;
  if (window === null) return ['tasks.json no longer has the round'];
  if (opens === window.opens && closes === window.closes) return [];
  return [
    `tasks.json was rewritten: the window is ${window.opens} to ${window.closes} now, and ${opens} to ${closes} in the etch, by which the file is ${hubTime(words, time).state.replace('_', ' ')}`,
  ];
}

function verdictOf({ hub, rows, models, result, isPartial, isUnreviewed }: HubReport): string {
  if (rows.length === 0)
    return isPartial
      ? `WAIT: nothing was checked: no file in ${hub.outputFolder} matches --round, --model or --changed-since.`
      : `WAIT: nothing was checked: ${hub.outputFolder}, the model_output_dir of hub-config/admin.json, has no model output.`;
  if (isUnreviewed)
    return 'WAIT: every checked claim holds, under a change that needs a review: it includes configuration or trust, or removes files.';
  if (result === 'fail') return 'FAIL: a claim does not hold; the rows name it.';
  if (result === 'wait')
    return 'WAIT: not everything can be proven now; nothing that was read contradicts the hub.';
  const every = isPartial ? 'every checked' : 'every';
  const isFilesOnly = models.every((one) => one.result === null);
  return `PASS: ${every} file was on time${isFilesOnly ? '; no record was checked' : `, and ${every} record is whole`}.`;
}

export function reportWords(report: HubReport, format: Format): string[] {
  const { hub, rows, models, result, isDevelopment, notes } = report;
  const verdict = onDevelopment(verdictOf(report), isDevelopment && result === 'pass');
  // A comment on GitHub is cut at its end.
  const shown = format === 'markdown' ? [...rows].sort((a, b) => byNumber(b.round, a.round)) : rows;
  const files = printRows(format, format === 'table' ? TERMINAL_COLUMNS : COLUMNS, shown);
  if (format === 'csv') return files;
  const tables = [...files, '', ...printRows(format, MODEL_COLUMNS, models)];
  return format === 'table'
    ? [...tables, '', verdict]
    : [
        `${markdownCell(hub.name)}: ${verdict}`,
        '',
        ...notes.flatMap(({ words, names }) => [
          `Careful: ${words}: ${namesShown(names.map(markdownCell))}`,
          '',
        ]),
        ...tables,
      ];
}
