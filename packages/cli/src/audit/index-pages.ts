import { textOfBytes } from '@svc/protocol';
import { IndexError, type IndexAnswer, parseIndexAnswer } from '@svc/protocol/account-index';
import type { Checkpoint } from '@svc/protocol/tlog';
import { setTimeout as sleep } from 'node:timers/promises';
import { bounded, inTime } from '../bounded-fetch.ts';
import { LogUnread } from './log-tiles.ts';

/** A thousand entries and the cosignatures of many witnesses. */
const MOST_BYTES = 1_000_000;
const PATIENCE_MS = 30_000;
/** The log may grow between two pages. */
const READINGS = 5;
/** The service limits requests a minute. */
const [ATTEMPTS, PAUSE_SECONDS, MOST_PAUSE_SECONDS] = [10, 5, 60];

interface PagesOf {
  service: string;
  userId: string;
  /** number of entries that an earlier audit kept */
  from: number;
  /** called before the second page is read */
  checkFirst: (checkpoint: Checkpoint) => Promise<void>;
}

/**
 * All pages of one checkpoint, with only their form checked.
 * @throws {LogUnread} when the service has no index now, or answers in another form
 */
export async function readIndexPages({ service, userId, from, checkFirst }: PagesOf): Promise<IndexAnswer[]> {
  for (let reading = 0; reading < READINGS; reading++) {
    const pages = await readOnce();
    if (pages !== null) return pages;
  }
  throw new LogUnread(`its checkpoint changed during each of ${READINGS} readings: audit again`);

  async function readOnce(): Promise<IndexAnswer[] | null> {
    const first = await readPage(service, userId, from);
    await checkFirst(first.checkpoint);
    const pages = [first];
    for (let last = first; last.more; pages.push(last)) {
      if (last.entries.length === 0) throw new IndexError('an answer has no entries, and more is true');
      last = await readPage(service, userId, last.from + last.entries.length);
      if (last.checkpoint.text !== first.checkpoint.text) return null;
    }
    return pages;
  }
}

async function readPage(service: string, userId: string, from: number): Promise<IndexAnswer> {
  const url = `${service}/log/index/${userId}${from === 0 ? '' : `?from=${from}`}`;
  for (let attempt = 1; ; attempt++) {
    const { status, retryAfter, body } = await request(url);
    if (status === 200) return parse(url, body);
    // The account had more entries in an earlier audit: the first page shows how many it has now.
    if (status === 400 && from > 0) return readPage(service, userId, 0);
    if (status !== 429 || attempt === ATTEMPTS) throw new LogUnread(`${url} ${refusal(status, body)}`);
    await sleep(Math.min(Number(retryAfter ?? PAUSE_SECONDS) || PAUSE_SECONDS, MOST_PAUSE_SECONDS) * 1000);
  }
}

const request = (url: string) =>
  inTime(PATIENCE_MS, async (signal) => {
    const response = await fetch(url, { redirect: 'error', signal });
    const bytes = response.body === null ? null : await bounded(response.body, MOST_BYTES);
    const body = bytes === null ? null : textOfBytes(bytes);
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
  }).catch(() => {
    throw new LogUnread(`the service is away: no answer from ${url}; audit again`);
  });

function parse(url: string, body: string | null): IndexAnswer {
  try {
    return parseIndexAnswer(JSON.parse(body ?? ''));
  } catch (error) {
    const why = error instanceof IndexError ? error.message : `it is not JSON of at most ${MOST_BYTES} bytes`;
    throw new LogUnread(`the answer of ${url} is malformed: ${why}; report it to the operator`);
  }
}

function refusal(status: number, body: string | null): string {
  const answered = `answers status ${status}${wordsOf(body)}`;
  if (status === 404) return `${answered}; audit without --index, which reads all leaves`;
  return `${answered}; audit again later`;
}

function wordsOf(body: string | null): string {
  try {
    const { error } = JSON.parse(body ?? '') as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? ` (${error.message})` : '';
  } catch {
    return '';
  }
}
