import { command, group, type InputOf, needed, word } from '../command.ts';
import { type Context, say, type Shown } from '../context.ts';
import { count, JSON_OUTPUT, SERVICE, TOPIC } from '../options.ts';
import { asRefusal, EXIT, failError, inputError, usageError } from '../exit.ts';
import { TRUST } from '../find-trust.ts';
import { proveLine, verifyLine, verifyLog } from '../log/verify-log.ts';
import { makeEtch, MAKE_OPTIONS } from '../make-etch.ts';
import { logWords, parseLog } from '@svc/protocol/conventions';
import { type Compared, compareLog, requireFile } from '../log/read-log.ts';
import {
  afterRotation,
  makeFolder,
  newState,
  readState,
  removeFolder,
  writeLeaves,
  writeState,
} from '../log/log-folder.ts';
import type { LogState } from '../log/log-folder.ts';

const ANCHOR = {
  ...SERVICE,
  ...MAKE_OPTIONS,
  '<file>': 'the log; its salt and line hashes are stored in <file>.svc-log',
  '--description <text>': word(
    'public at once and permanently; at most 140 characters',
    'A state of an append-only log',
  ),
  ...TOPIC,
};
const anchor = command('anchor', 'etch the root over the lines of a file, which is not sent', {
  input: ANCHOR,
  examples: [
    'svc log anchor transcript.jsonl',
    'svc log anchor audit.log --description "Audit log of the weir" --wait',
  ],
  run: anchorLog,
});

const verify = command(
  'verify',
  'check that every anchored state is a prefix of the file, or check the proof of one line',
  {
    input: {
      ...SERVICE,
      ...TRUST,
      '[file]': 'the log, with its folder <file>.svc-log',
      '--etch <etch>': 'id, code, url or receipt file of the last state (default: the one in <file>.svc-log)',
      '--proof <file>': 'check this proof of one line (svc log prove) instead of a log',
    },
    examples: [
      'svc log verify transcript.jsonl',
      'svc log verify audit.log --etch abc234     # this state and the earlier ones',
      'svc log verify --proof line.json',
    ],
    run({ file, proof, ...options }, context) {
      if ((file === undefined) === (proof === undefined)) throw usageError('name a log, or give --proof');
      return file === undefined ? verifyLine(proof!, options, context) : verifyLog(file, options, context);
    },
  },
);

const prove = command('prove', 'write a proof that shows one anchored line and no other', {
  input: {
    '<file>': 'the log, with its folder <file>.svc-log',
    '--line <number>': needed(count, 'the line, from 1'),
    '--out <file>': 'write the proof to this file',
    ...JSON_OUTPUT,
  },
  examples: ['svc log prove transcript.jsonl --line 7 --out line.json', 'svc log verify --proof line.json'],
  run: ({ file, line, out }) => proveLine(file, line, out),
});

export const logCommand = group(
  'log',
  'anchor an append-only log, and prove that only new lines were added',
  [anchor, verify, prove],
);

async function anchorLog(
  { file: log, description, topic: category_id, ...options }: InputOf<typeof ANCHOR>,
  context: Context,
): Promise<Shown | void> {
  await requireFile(log);
  const state = (await readState(log)) ?? newState();
  const { last } = state;
  const { root, lines, leftOut } = await storeLeaves(log, state);
  if (leftOut !== null) say(context, `${withoutEnd(leftOut)}, so it is not anchored`);
  if (last !== null && last.root === root && last.lines === lines)
    return {
      value: { etch: { id: last.etch }, log: last, anchored: false },
      words: [`${log} has no new line since etch ${last.etch}; nothing was etched`],
    };
  // Before the etch: nothing can replace a lost salt.
  writeState(log, state);
  const content = logWords({ root, lines, prev: last?.etch ?? null });
  const etch = await makeEtch({ content, description, category_id, mode: 'instant' }, options, context, {
    more: { log: { root, lines } },
    retry: ['--description', description],
  });
  // A replayed Idempotency-Key returns an earlier etch.
  const made = asRefusal(() => parseLog(etch.content ?? ''), EXIT.fail);
  if (made.root !== root)
    throw failError(`etch ${etch.id} has a different root: the --idempotency-key was used before`);
  writeState(log, { ...state, last: { etch: etch.id, root, lines } });
  if (last === null)
    say(context, `Keep the folder ${log}.svc-log with the log: its salt is needed to verify it.`);
}

async function storeLeaves(log: string, state: LogState): Promise<Compared> {
  const { last } = state;
  const isNew = makeFolder(log);
  const writer = writeLeaves(log);
  try {
    const compared = await compareLog(log, state, last === null ? [] : [last], writer);
    const change = last === null ? null : compared.changeSince(last);
    if (change !== null)
      throw failError(
        `${log} does not continue etch ${last!.etch} (${last!.lines} lines): ${change}. Nothing was etched; restore the line, or anchor the changed log under a new file name. ${afterRotation(log)}`,
      );
    if (compared.leftOut === 1 && last === null)
      throw inputError(`${withoutEnd(1)}, and ${log} has no other line. Nothing was etched`);
    writer.replace();
    return compared;
  } catch (error) {
    writer.discard();
    if (isNew) removeFolder(log);
    throw error;
  }
}

const withoutEnd = (line: number): string => `line ${line} has no line end: it may be half-written`;
