// Checks a model-output file and etches its salted hash. The salt is stored before the request, so that a lost answer loses nothing.
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { parseCanonicalString, type Receipt } from '@svc/protocol';
import { durationWords, hubTime, hubWords, parseHub } from '@svc/protocol/conventions';
import { ApiError, type Client, ConnectionError } from '@svc/sdk';
import type { Evidence } from '@svc/verifier/evidence';
import { flag, type InputOf } from '../command.ts';
import { type Context, makeProgress, type Progress, say, type Shown } from '../context.ts';
import { isUseless, wasRejected } from '../etch-blind-once.ts';
import { asRefusal, awayError, beforeEtch, EXIT, inputError, usageError } from '../exit.ts';
import { gitOutput, openRepo } from '../git/run-git.ts';
import { MAKE_OPTIONS, WAIT_SECONDS } from '../make-etch.ts';
import { SERVICE } from '../options.ts';
import { openSession } from '../session.ts';
import { waitFor } from '../wait.ts';
import { checkFile } from './check-file.ts';
import { type HubFile, hubFile, namesIn, requireRound, windowOf } from './hub-file.ts';
import { type Hub, readHub } from './read-hub.ts';
import {
  type HubRecord,
  newRecord,
  readRecord,
  RECORD_FOLDER,
  recordPath,
  refuseOther,
  saltedHashes,
  type Submission,
  writeRecord,
} from './record-file.ts';
import type { SubmissionWindow } from './submission-window.ts';

export const SUBMIT = {
  ...SERVICE,
  '<file>': 'model-output/<team>-<model>/<round>-<team>-<model>.csv or .parquet, in a checkout of the hub',
  '--sealed': flag('hide hub, round and model until the submission window closes'),
  '--new-window': flag('the organizer moved the deadline since the earlier file'),
  '--description <text>':
    'public at once and permanently; at most 140 characters (default: names model, round and hub)',
  '--no-sign': MAKE_OPTIONS['--no-sign'],
  '--wait': MAKE_OPTIONS['--wait'],
  '--timeout <seconds>': MAKE_OPTIONS['--timeout <seconds>'],
};
type SubmitOptions = InputOf<typeof SUBMIT>;

/** An etch is attested within ten minutes, as a rule (docs/specification.md#limits). */
const SOON_MS = 900_000;

export async function submitFile(options: SubmitOptions, context: Context): Promise<Shown> {
  const hub = await readHub(dirname(options.file));
  const file = hubFile(hub, options.file);
  const session = openSession(options, context.env);
  const { client } = session;
  const kept = await readRecord(hub, file);
  if (kept !== null) refuseOther(recordPath(hub, file), kept, 'hub', hub.name);
  if (kept !== null && new URL(kept.service).origin !== client.origin)
    throw usageError(
      `${recordPath(hub, file)} has etches of ${kept.service}, not of ${client.origin}: use the same service for a round`,
    );
  const record = kept ?? newRecord(hub, file, client.origin);
  const sender = { client, keyPair: options.sign ? session.keyPair : undefined };
  if (record.submissions.at(-1)?.etch === null) await sendLast(hub, record, sender, true);
  const prepared = await beforeEtch(() => prepare(hub, file, record, options, context));
  if (prepared !== null) {
    record.submissions.push(prepared);
    await sendLast(hub, record, sender, false);
  }
  return finish(hub, record, prepared !== null, options, client, context);
}

/** null: the last etch is of this file */
async function prepare(
  hub: Hub,
  file: HubFile,
  { submissions }: HubRecord,
  { sealed, newWindow, description }: SubmitOptions,
  context: Context,
): Promise<Submission | null> {
  const progress = makeProgress(context);
  const round = requireRound(hub, file);
  const before = await stat(file.path).catch(() => null);
  const salt = randomBytes(32).toString('hex');
  const last = submissions.at(-1);
  const [hash, unchanged] = await saltedHashes(file.path, [salt, last?.salt ?? salt], progress);
  if (last !== undefined && unchanged === last.hash) {
    const now = (await windowOf(hub, file, progress))!;
    // An etch from before the window proves nothing, so the same file is etched again in the window.
    if (!isEarly(last, now) || !isOpen(now)) return null;
  }
  await refuseConverted(file, hub.outputFolder);
  await refuseRenamed(hub, file, progress);
  await checkFile(file.path, round, file.round, progress);
  const window = (await windowOf(hub, file, progress))!;
  if ((await stat(file.path)).mtimeMs !== before?.mtimeMs)
    throw inputError(`${file.name} changed while svc checked it; try again`);
  if (last !== undefined && !newWindow) refuseOtherWindow(last, window);
  warnOfWindow(window, sealed, context);
  const names = { hub: hub.name, round: file.round, model: file.model };
  const content = asRefusal(() => hubWords({ ...names, ...window, file: hash!, prev: last?.etch ?? null }));
  const shown = sealed
    ? 'A submission to a forecast hub'
    : `${file.model}, round ${file.round} of ${hub.name}`.slice(0, 140);
  const request = { content, description: description ?? shown, reveal_at: sealed ? window.closes : null };
  return { file: file.name, salt, hash: hash!, etch: null, url: null, receipt: null, ...request };
}

function isEarly({ receipt }: Submission, window: SubmissionWindow): boolean {
  const { chain, canonical_string: words } = receiptIn(receipt) ?? {};
  const time = chain?.anchored_at ?? parseCanonicalString(words ?? '')?.createdAt;
  return time != null && hubTime(window, time).state === 'early';
}

const isOpen = (window: SubmissionWindow): boolean =>
  hubTime(window, new Date().toISOString()).state === 'on_time';

/** LFS stores a pointer and restores the same bytes. */
const NO_LFS = ['lfs.clean=', 'lfs.process=', 'lfs.required=false'].flatMap((one) => ['-c', `filter.${one}`]);

/** Rejects a file that Git commits with other bytes (core.autocrlf, .gitattributes). Without Git there is no other copy. */
async function refuseConverted({ path, name }: HubFile, folder: string): Promise<void> {
  const git = async (...args: string[]) =>
    String(await gitOutput(await openRepo(dirname(path)), [...NO_LFS, ...args]));
  const isTracked = await git('rev-parse', '--is-inside-work-tree').catch(() => '');
  if (isTracked.trim() !== 'true') return;
  const committed = await git('hash-object', '--', basename(path));
  if (committed !== (await git('hash-object', '--no-filters', '--', basename(path))))
    throw inputError(
      `Git would commit ${name} with other line endings, so its hash would not match: write the file with LF, or add "${folder}/** -text" to .gitattributes`,
    );
}

function refuseOtherWindow({ content, etch }: Submission, now: SubmissionWindow): void {
  const { opens, closes } = asRefusal(() => parseHub(content), EXIT.fail);
  if (opens !== now.opens || closes !== now.closes)
    throw usageError(
      `tasks.json was rewritten: the window is ${now.opens} to ${now.closes} now, and ${opens} to ${closes} in etch ${etch}. If the organizer moved the deadline, repeat the command with --new-window`,
    );
}

function warnOfWindow(window: SubmissionWindow, sealed: boolean, context: Context): void {
  const now = new Date();
  const { state, seconds } = hubTime(window, now.toISOString());
  if (sealed && state === 'late') throw usageError('the submission window has closed: omit --sealed');
  const outside = `the submission window (${window.opens} to ${window.closes})`;
  if (state === 'early')
    say(
      context,
      `Careful: it is ${durationWords(seconds)} before ${outside}. Run the command again in the window: it etches the same file again.`,
    );
  else if (state === 'late') say(context, `Careful: it is ${durationWords(seconds)} after ${outside}.`);
  else if (Date.parse(window.closes) - now.getTime() < SOON_MS)
    say(
      context,
      `Careful: the window closes at ${window.closes}. The attestation, some minutes from now, proves the time.`,
    );
}

/** Rejects a file that an earlier record names by another name: the team renamed the file. */
async function refuseRenamed(hub: Hub, file: HubFile, progress: Progress): Promise<void> {
  const names = namesIn(join(hub.root, RECORD_FOLDER, file.round));
  for (const model of names.map((name) => name.replace(/\.json$/, ''))) {
    if (model === file.model) continue;
    const found = await readRecord(hub, { round: file.round, model }).catch(() => null);
    const last = found?.submissions.at(-1);
    if (last === undefined || (await stat(join(hub.root, last.file)).catch(() => null)) !== null) continue;
    const [hash] = await saltedHashes(file.path, [last.salt], progress);
    if (hash === last.hash)
      throw inputError(
        `${file.name} is the file that ${model} etched (${last.etch}): a renamed team keeps its earlier files under the earlier name`,
      );
  }
}

interface Sender extends Pick<ReturnType<typeof openSession>, 'client'> {
  keyPair: ReturnType<typeof openSession>['keyPair'] | undefined;
}

/** Stores the entry before the request and after its answer. A rejected request leaves no entry. */
async function sendLast(
  hub: Hub,
  record: HubRecord,
  { client, keyPair }: Sender,
  isRetry: boolean,
): Promise<void> {
  const entry = record.submissions.at(-1)!;
  const { content, description, reveal_at } = entry;
  writeRecord(hub, record);
  const body = { content, description, category_id: 'science' } as const;
  try {
    const { etch } = await client.etch(
      reveal_at === null ? { ...body, mode: 'instant' } : { ...body, mode: 'delayed', reveal_at },
      { sign: keyPair, idempotencyKey: entry.hash },
    );
    Object.assign(entry, { etch: etch.id, url: etch.short_url });
  } catch (error) {
    if (isRetry ? isUseless(error) : wasRejected(error)) record.submissions.pop();
    const isUnsure =
      error instanceof ConnectionError
        ? error.mayHaveHappened
        : error instanceof ApiError && error.status >= 500;
    if (!isUnsure) throw error;
    throw awayError(
      `${(error as Error).message}. The etch may exist. Run the same command again: the request is stored and is carried out once`,
    );
  } finally {
    writeRecord(hub, record);
  }
}

const receiptIn = (value: unknown): Partial<Receipt> | null =>
  (value as { receipt?: Receipt } | null)?.receipt ?? (value as Receipt | null);

/** Names the parts of a receipt or evidence of this etch. A later answer of the service may have fewer. */
function partsOf(value: unknown, etch: string | null): string[] {
  const { commitment, witnesses } = (value ?? {}) as Partial<Evidence>;
  const { etch_id: of, chain, canonical_string: words } = receiptIn(value) ?? {};
  if (of !== etch) return [];
  const found = Object.entries({ attestation: chain?.attestation_uid, words, commitment });
  const names = found.flatMap(([name, part]) => (part ? [name] : []));
  return [...names, ...(witnesses ?? []).map((one) => `${one.kind} of the ${one.of}`)];
}

/** The receipt is complete once the etch is attested and revealed; each run stores a receipt that lacks nothing of the stored one. */
async function finish(
  hub: Hub,
  record: HubRecord,
  isNew: boolean,
  { wait, timeout = WAIT_SECONDS }: SubmitOptions,
  client: Client,
  context: Context,
): Promise<Shown> {
  const last = record.submissions.at(-1)!;
  if (wait) {
    say(context, `etched ${last.url}; waiting for the chain, at most ${timeout} seconds`);
    const { isLate } = await waitFor('anchored', client, { id: last.etch!, timeout }, context);
    if (isLate) context.finish(EXIT.wait);
  }
  let anchored_at: string | null = null;
  for (const one of record.submissions) {
    const evidence = await client.evidence(one.etch!);
    const answer = evidence.witnesses === undefined ? evidence.receipt : evidence;
    const [stored, received] = [partsOf(one.receipt, one.etch), partsOf(answer, one.etch)];
    if (stored.every((part) => received.includes(part))) one.receipt = answer;
    anchored_at = receiptIn(one.receipt)?.chain?.anchored_at ?? null;
  }
  writeRecord(hub, record);
  const path = relative(process.cwd(), recordPath(hub, record));
  const words = [
    isNew ? `${last.file} is etched: ${last.url}` : `${last.file} is unchanged since etch ${last.url}`,
    anchored_at === null
      ? `Not attested yet. Run the command again in some minutes, or use --wait: it updates the receipt and etches nothing twice.`
      : `Attested at ${anchored_at}.`,
    `Commit ${path} with the file: it has the salt and the receipt.`,
  ];
  return { value: { etched: isNew, record: path, submission: last, anchored_at }, words };
}
