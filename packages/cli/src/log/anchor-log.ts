import { logWords, parseLog } from '@svc/protocol/conventions';
import type { TopicId } from '@svc/sdk';
import { answer, type Context, lines } from '../context.ts';
import { EXIT, failError } from '../exit.ts';
import { asRefusal } from '../files/find-files.ts';
import { make, type MakeOptions } from '../make-etch.ts';
import { type Compared, compareLog } from './compare-log.ts';
import { LeavesWriter, type LogState, makeFolder, newState, readState, writeState } from './log-folder.ts';

export interface AnchorOptions extends MakeOptions {
  description: string;
  topic: string;
}

export async function anchorLog(log: string, options: AnchorOptions, context: Context): Promise<void> {
  const state = (await readState(log)) ?? newState();
  const { last } = state;
  const compared = await storeLeaves(log, state);
  if (last !== null && last.root === compared.root && last.lines === compared.lines)
    return answer(context, options, { etch: { id: last.etch }, log: last, anchored: false }, [
      `${log} has no new line since etch ${last.etch}; nothing was etched`,
    ]);
  // Before the etch: nothing can replace a lost salt.
  writeState(log, state);
  const { root, lines: count } = compared;
  const content = logWords({ root, lines: count, prev: last?.etch ?? null });
  const etch = await make(
    { content, description: options.description, category_id: options.topic as TopicId, mode: 'instant' },
    options,
    context,
    { more: { log: { root, lines: count } }, retry: ['--description', options.description] },
  );
  // A replayed Idempotency-Key returns an earlier etch.
  const made = asRefusal(() => parseLog(etch.content ?? ''), EXIT.fail);
  if (made.root !== root)
    throw failError(`etch ${etch.id} has a different root: the --idempotency-key was used before`);
  writeState(log, { ...state, last: { etch: etch.id, root, lines: count } });
  if (last === null)
    context.note(lines(`Keep the folder ${log}.svc-log with the log: its salt is needed to verify it.`));
}

async function storeLeaves(log: string, state: LogState): Promise<Compared> {
  const { last } = state;
  makeFolder(log);
  const writer = new LeavesWriter(log);
  try {
    const compared = await compareLog(log, state, last === null ? [] : [last], writer);
    const change = last === null ? null : compared.changeSince(last);
    if (change !== null)
      throw failError(
        `${log} does not continue etch ${last!.etch} (${last!.lines} lines): ${change}. Nothing was etched; restore the line, or anchor the changed log under a new file name`,
      );
    writer.replace();
    return compared;
  } catch (error) {
    writer.discard();
    throw error;
  }
}
