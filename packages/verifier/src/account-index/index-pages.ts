import { textOfBytes } from '@svc/protocol';
import { IndexError, type IndexAnswer, parseIndexAnswer } from '@svc/protocol/account-index';
import type { Checkpoint } from '@svc/protocol/tlog';
import { type LogReader, LogUnread } from './log-reader.ts';

/** A thousand entries and the cosignatures of many witnesses. */
const MOST_BYTES = 1_000_000;
/** The log may grow between two pages. */
const READINGS = 5;
/** The service limits requests a minute. */
const [ATTEMPTS, PAUSE_SECONDS, MOST_PAUSE_SECONDS] = [10, 5, 60];

/** With the answer as the service gave it. */
export interface IndexPage extends IndexAnswer {
  value: unknown;
}

interface PagesOf {
  log: LogReader;
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
export async function readIndexPages({ log, userId, from, checkFirst }: PagesOf): Promise<IndexPage[]> {
  for (let reading = 0; reading < READINGS; reading++) {
    const pages = await readOnce();
    if (pages !== null) return pages;
  }
  throw new LogUnread(`its checkpoint changed during each of ${READINGS} readings: audit again`);

  async function readOnce(): Promise<IndexPage[] | null> {
    const first = await readPage(log, userId, from);
    await checkFirst(first.checkpoint);
    const pages = [first];
    for (let last = first; last.more; pages.push(last)) {
      const next = last.from + last.entries.length;
      if (next === last.from || next >= first.count)
        throw new IndexError('an answer has no entries or the last ones, and more is true');
      last = await readPage(log, userId, next);
      if (last.checkpoint.text !== first.checkpoint.text) return null;
      // Each page is a step to the end, so that no service can send pages for ever.
      if (last.from !== next || last.count !== first.count)
        throw new IndexError('an answer does not continue the one before it');
    }
    return pages;
  }
}

/**
 * All answers for an account, unchecked.
 * @throws {LogUnread}
 * @example
 * await readWholeIndex(emptyLog, answer.user_id).catch(({ name }) => name); // 'LogUnread'
 */
export async function readWholeIndex(log: LogReader, userId: string): Promise<unknown[]> {
  const pages = await readIndexPages({ log, userId, from: 0, checkFirst: () => Promise.resolve() });
  return pages.map(({ value }) => value);
}

async function readPage(log: LogReader, userId: string, from: number): Promise<IndexPage> {
  const path = `index/${userId}${from === 0 ? '' : `?from=${from}`}`;
  for (let attempt = 1; ; attempt++) {
    const { status, retryAfter, bytes } = await log.get(path, MOST_BYTES);
    const body = bytes && textOfBytes(bytes);
    if (status === 200) return parse(`${log.url}/${path}`, body);
    // The account had more entries in an earlier audit: the first page shows how many it has now.
    if (status === 400 && from > 0) return readPage(log, userId, 0);
    if (status !== 429 || attempt === ATTEMPTS)
      throw new LogUnread(`${log.url}/${path} ${refusal(status, retryAfter, body)}`);
    const seconds = Math.min(Number(retryAfter ?? PAUSE_SECONDS) || PAUSE_SECONDS, MOST_PAUSE_SECONDS);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

function parse(url: string, body: string | null): IndexPage {
  try {
    const value: unknown = JSON.parse(body ?? '');
    return { ...parseIndexAnswer(value), value };
  } catch (error) {
    const why = error instanceof IndexError ? error.message : `it is not JSON of at most ${MOST_BYTES} bytes`;
    throw new LogUnread(`the answer of ${url} is malformed: ${why}; report it to the operator`);
  }
}

function refusal(status: number, retryAfter: string | null, body: string | null): string {
  const answered = `answers status ${status}${wordsOf(body)}`;
  if (status === 404) return `${answered}; audit without --index, which reads all leaves`;
  const when = /^\d+$/.test(retryAfter ?? '') ? `in ${retryAfter} seconds` : 'later';
  if (status === 503) return `${answered}; this says nothing about the record: try again ${when}`;
  return `${answered}; try again ${when}`;
}

function wordsOf(body: string | null): string {
  try {
    const { error } = JSON.parse(body ?? '') as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? ` (${error.message})` : '';
  } catch {
    return '';
  }
}
