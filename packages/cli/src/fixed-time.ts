import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, type Client } from '@svc/sdk';
import { configFolder, locked, readPrivate, writePrivate } from './config-folder.ts';
import type { Context } from './context.ts';
import { newIdempotencyKey, wasRejected } from './etch-blind-once.ts';
import { absoluteTime, isFromNow, secondsOf } from './options.ts';

interface Sending {
  idempotencyKey: string | undefined;
  client: Client;
}

/**
 * Fixes the time of a duration once for each account, key and duration, and stores it before the first request: a
 * retry that counts the duration again would be a different request under the same key.
 * @param send receives the time and the key, a new one if none is given
 */
export async function atFixedTime<T>(
  value: string,
  { idempotencyKey, client }: Sending,
  { env }: Pick<Context, 'env'>,
  send: (time: string, key: string) => Promise<T>,
): Promise<T> {
  const key = idempotencyKey ?? newIdempotencyKey();
  const counted = await absoluteTime(value, client);
  if (!isFromNow(value)) return send(counted, key);
  const { id } = await client.me();
  const name = JSON.stringify([client.origin, id, key, secondsOf(value)]);
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 32);
  const file = join(configFolder(env), 'times', `${digest}.json`);
  const drop = () => rmSync(file, { force: true });
  const sendAt = async (time: string) => {
    try {
      const made = await send(time, key);
      if (idempotencyKey === undefined) drop();
      return made;
    } catch (error) {
      if (isUnused(error) || (idempotencyKey === undefined && wasRejected(error))) drop();
      throw error;
    }
  };
  const time = fix(file, counted);
  try {
    return await sendAt(time);
  } catch (error) {
    if (!isUnused(error) || time === counted) throw error;
    return sendAt(fix(file, counted));
  }
}

/** A replay precedes every check of a time, so the key of this error made no record. */
const isUnused = (error: unknown): boolean => error instanceof ApiError && error.code === 'bad_request';

const fix = (file: string, time: string): string =>
  locked(file, () => {
    const stored = readPrivate(file) as { time: string } | undefined;
    if (stored !== undefined) return stored.time;
    writePrivate(file, `${JSON.stringify({ time })}\n`);
    return time;
  });
