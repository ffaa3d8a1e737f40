import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError } from '@svc/sdk';
import { ChainUnreadable } from '@svc/verifier';
import { logReader, LogUnread, readCheckpoint } from '@svc/verifier/account-index';
import { type Context, printableJsonLine, lines } from '../context.ts';
import { CommandError, EXIT, usageError } from '../exit.ts';
import { type Result, resultUnder } from '../verdict-words.ts';
import { auditKeptLog, logResult } from './audit-log.ts';
import { type AuditTrust, type ChainSide, emptyChainSide, readOn } from './job.ts';
import { logWords } from './print-audit.ts';

interface WatchOptions {
  every: number;
  json: boolean;
  path: string;
  firstBlock: (job: AuditTrust) => Promise<number>;
}

/**
 * The next round retries what could not be read.
 * @param prepare repeated until it succeeds
 */
export async function watchLog(
  service: string,
  prepare: () => Promise<AuditTrust>,
  { every, json, path, firstBlock }: WatchOptions,
  context: Context,
): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  let watched: { job: AuditTrust; side: ChainSide } | null = null;
  try {
    while (!stop.signal.aborted) {
      let round: { result: Result; words: string[] };
      try {
        const job: AuditTrust = watched?.job ?? (await prepare());
        if (job.logKeys.length === 0)
          throw usageError(`no key of the log is pinned: run svc trust ${service}`);
        // The log comes first: the chain's reader waits long for a missing endpoint.
        await readCheckpoint(logReader(`${service}/log`), job.logKeys);
        watched ??= { job, side: emptyChainSide(await firstBlock(job)) };
        round = await look(service, watched, path);
      } catch (error) {
        round = { result: 'wait', words: [unreadWords(error)] };
      }
      const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
      context.out(
        json
          ? `${printableJsonLine({ time, ...round })}\n`
          : lines(`${time}  ${round.result.toUpperCase()}  ${round.words.join('; ')}`),
      );
      if (round.result === 'fail') return context.finish(EXIT.fail);
      await sleep(every * 1000, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    context.finish(EXIT.pass);
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

async function look(
  service: string,
  { job, side }: { job: AuditTrust; side: ChainSide },
  path: string,
): Promise<{ result: Result; words: string[] }> {
  await readOn(side, job.reader, job.trust, await job.reader.head(), () => undefined);
  const { trees } = side.trees;
  const now = Date.now() / 1000;
  const log = await auditKeptLog(path, { service, keys: job.logKeys, trust: job.trust, trees, now });
  const result = resultUnder(job.condition, logResult(log));
  return {
    result,
    words: [
      ...log.faults,
      ...log.unproven,
      ...(log.attested === null ? [] : [logWords(log.entries, log.attested, trees.size)]),
      ...log.notes,
      ...(result === 'wait' && job.condition !== null ? [job.condition] : []),
    ],
  };
}

function unreadWords(error: unknown): string {
  if (error instanceof ConnectionError) return `the service is away: ${error.message}`;
  if (error instanceof LogUnread || error instanceof ChainUnreadable) return error.message;
  if (error instanceof CommandError && error.status === EXIT.wait) return error.message;
  throw error;
}
