// `svc hub check`: one row for each file, one for each model.
import { basename, join } from 'node:path';
import { durationWords, type HubTime, hubTime, type HubWords } from '@svc/protocol/conventions';
import { inParallel } from '../audit/job.ts';
import { type Context, makeProgress, type Progress } from '../context.ts';
import { CommandError } from '../exit.ts';
import { type Result, worstResult } from '../verdict-words.ts';
import type { CheckOptions, FileRow } from './file-row.ts';
import { type HubFile, hubFiles, namesIn, windowOf } from './hub-file.ts';
import { type JudgedEntry, judgeEntry } from './judge-entry.ts';
import { type ModelRow, modelRows } from './model-rows.ts';
import { type Hub, readHub } from './read-hub.ts';
import { readRecord, RECORD_FOLDER, saltedHashes } from './record-file.ts';
import type { SubmissionWindow } from './submission-window.ts';

export interface HubReport {
  hub: Hub;
  files: HubFile[];
  rows: FileRow[];
  models: ModelRow[];
  result: Result;
  isDevelopment: boolean;
}

interface JudgedFile {
  row: FileRow;
  entries: JudgedEntry[];
}

export async function checkHub(folder: string, options: CheckOptions, context: Context): Promise<HubReport> {
  const hub = await readHub(folder);
  const isWanted = ({ round, model }: Pick<HubFile, 'round' | 'model'>) =>
    (options.round ?? round) === round && (options.model ?? model) === model;
  const files = hubFiles(hub).filter(isWanted);
  const named = new Set(files.map(({ round, model }) => `${round}/${model}`));
  const orphans = recordKeys(hub).filter((key) => isWanted(key) && !named.has(`${key.round}/${key.model}`));
  const judged: JudgedFile[] = [];
  const progress = makeProgress(context);
  await inParallel([...files, ...orphans], options.parallel, async (one) => {
    judged.push(await judgeFile(hub, one, options, context));
    progress.show('files', judged.length, files.length + orphans.length);
  });
  progress.clear();
  const rows = judged.map(({ row }) => row).sort((a, b) => (a.round + a.model < b.round + b.model ? -1 : 1));
  const models = await modelRows(hub, judged, options, context);
  return {
    hub,
    files,
    rows,
    models,
    result: worstResult([...rows, ...models].map(({ result }) => result)),
    isDevelopment: judged.some(({ entries }) => entries.some((entry) => entry.isDevelopment)),
  };
}

function recordKeys({ root }: Hub): { round: string; model: string; name: null }[] {
  const folder = join(root, RECORD_FOLDER);
  return namesIn(folder).flatMap((round) =>
    namesIn(join(folder, round))
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({ round, model: basename(name, '.json'), name: null })),
  );
}

async function judgeFile(
  hub: Hub,
  file: HubFile | { round: string; model: string; name: null },
  options: CheckOptions,
  context: Context,
): Promise<JudgedFile> {
  const progress: Progress = { show: () => undefined, clear: () => undefined };
  const { round, model, name } = file;
  const row: FileRow = {
    round,
    model,
    file: name ?? '',
    state: '',
    result: 'fail',
    time: null,
    proof: null,
    seconds: 0,
    account: null,
    etch: null,
    detail: '',
  };
  try {
    const record = await readRecord(hub, file);
    if (record === null)
      return { row: { ...row, state: 'never committed', detail: 'no record in .svc' }, entries: [] };
    const entries = await Promise.all(
      record.submissions.map((_, at) => judgeEntry(hub, record, at, options, context)),
    );
    if (name === null) {
      const [last] = record.submissions.slice(-1);
      const detail = `${last?.file} is not in the hub; a renamed team keeps its earlier files under the earlier name`;
      return { row: { ...row, file: last?.file ?? '', state: 'file missing', detail }, entries };
    }
    const salts = record.submissions.map(({ salt }) => salt);
    const hashes = await saltedHashes(file.path, salts, progress);
    const at = record.submissions.findLastIndex(({ hash }, index) => hash === hashes[index]);
    const window = await windowOf(hub, file, progress);
    return { row: { ...row, ...decide(entries, at, window) }, entries };
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
  const last = entries.length - 1;
  const entry = entries[at];
  if (entry === undefined)
    return { state: 'changed', result: 'fail', detail: 'the file is not the one that was etched last' };
  const { etch, time, author, detail } = entry;
  const shown = {
    etch,
    time,
    account: author?.username ?? null,
    proof: time === null ? null : 'attestation',
  };
  if (entry.result === 'fail') return { ...shown, state: 'not proven', result: 'fail', detail };
  if (at !== last)
    return {
      ...shown,
      state: 'changed',
      result: 'fail',
      detail: `etch ${entries[last]!.etch} is of a later file`,
    };
  const authors = new Set(entries.map((one) => one.author?.user_id));
  if (authors.size > 1)
    return { ...shown, state: 'not proven', result: 'fail', detail: 'its etches are by different accounts' };
  if (entry.words === null || time === null) return { ...shown, state: 'pending', result: 'wait', detail };
  const timed = timeOf(entry.words, window, time);
  const { state, seconds, note } = timed;
  if (state === 'on_time')
    return {
      ...shown,
      state: 'on time',
      result: entry.result,
      detail: [...note, ...unlessPass(entry)].join('; '),
    };
  const wasOnTime = entries
    .slice(0, at)
    .some(({ words, time: when }) => words && when && timeOf(words, window, when).state === 'on_time');
  const by = durationWords(seconds);
  return {
    ...shown,
    seconds,
    result: 'fail',
    state: state === 'early' ? 'early' : wasOnTime ? 'changed after the deadline' : 'late',
    detail: [state === 'early' ? `${by} before the window` : `by ${by}`, ...note].join('; '),
  };
}

const unlessPass = ({ result, detail }: JudgedEntry): string[] => (result === 'pass' ? [] : [detail]);

function timeOf(
  words: HubWords,
  window: SubmissionWindow | null,
  time: string,
): HubTime & { note: string[] } {
  const { opens, closes } = words;
  if (window === null) return { ...hubTime(words, time), note: ['tasks.json no longer has the round'] };
  if (opens === window.opens && closes === window.closes) return { ...hubTime(words, time), note: [] };
  return {
    ...hubTime(window, time),
    note: [
      `tasks.json was rewritten: the window is ${window.opens} to ${window.closes} now, and ${opens} to ${closes} in the etch, by which the file is ${hubTime(words, time).state.replace('_', ' ')}`,
    ],
  };
}
