import { createHash, randomBytes, scryptSync } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, type BlindBody, type BlindOptions, type Client, RetractedError } from '@svc/sdk';
import { configFolder, readPrivate, writePrivate } from './config-folder.ts';
import { usageError } from './exit.ts';

type Made = Awaited<ReturnType<Client['etchBlind']>>;

/** A blind seal whose answer never arrived. */
interface Kept {
  words: string;
  sealed_until: string;
  description: string;
  category_id: string;
  salt: string;
  /** scrypt of the text: detects a different text, and slows down guesses */
  text: string;
}

interface BlindPlace {
  env: NodeJS.ProcessEnv;
  profileName: string;
  idempotencyKey: string;
}

export const newIdempotencyKey = (): string => randomBytes(16).toString('hex');

const TWO_YEARS_MS = 2 * 365.25 * 86_400_000;

export const horizonWarning = (until: string, now: number): string | undefined =>
  Date.parse(until) - now > TWO_YEARS_MS
    ? 'the text opens in more than two years. The maintainers of drand advise a shorter time: if their network ends earlier, the text can never be opened. Keep a copy of the text.'
    : undefined;

/**
 * The profile folder keeps the ciphertext until the service answers. A new encryption would be a different request
 * under the same Idempotency-Key.
 * @param until receives the time of the stored ciphertext
 */
export async function etchBlindOnce(
  client: Client,
  {
    until,
    ...body
  }: Omit<BlindBody, 'sealed_until'> & { until: (kept: string | undefined) => Promise<string> },
  options: Omit<BlindOptions, 'idempotencyKey' | 'words' | 'onSealed'>,
  { env, profileName, idempotencyKey }: BlindPlace,
): Promise<Made> {
  const name = createHash('sha256').update(JSON.stringify([client.origin, profileName, idempotencyKey]));
  const file = join(configFolder(env), 'blind', `${name.digest('hex').slice(0, 32)}.json`);
  const kept = readPrivate(file) as Kept | undefined;
  const sealedUntil = await until(kept?.sealed_until);
  if (kept !== undefined) refuseOther(kept, { ...body, sealed_until: sealedUntil }, idempotencyKey);
  const { content, description, category_id } = body;
  try {
    const made = await client.etchBlind(
      { ...body, sealed_until: sealedUntil },
      {
        ...options,
        idempotencyKey,
        words: kept?.words,
        onSealed(words) {
          const salt = randomBytes(16).toString('hex');
          const value = { words, sealed_until: sealedUntil, description, category_id };
          const made: Kept = { ...value, salt, text: digestOf(content, salt) };
          writePrivate(file, `${JSON.stringify(made, null, 2)}\n`);
        },
      },
    );
    rmSync(file, { force: true });
    return made;
  } catch (error) {
    if (isAnswer(error)) rmSync(file, { force: true });
    throw error;
  }
}

const digestOf = (text: string, salt: string): string => scryptSync(text, salt, 32).toString('hex');

function refuseOther(kept: Kept, body: BlindBody, key: string): void {
  const differs = [
    ['text', digestOf(body.content, kept.salt), kept.text],
    ['--description', body.description, kept.description],
    ['--topic', body.category_id, kept.category_id],
    ['--sealed-until', Date.parse(body.sealed_until), Date.parse(kept.sealed_until)],
  ].find(([, given, was]) => given !== was);
  if (differs === undefined) return;
  throw usageError(
    `the key ${key} belongs to a request with a different ${differs[0]}, whose answer was lost; nothing was sent. Repeat that request, or give a new --idempotency-key`,
  );
}

const isAnswer = (error: unknown): boolean =>
  error instanceof RetractedError ||
  (error instanceof ApiError && error.status < 500 && error.code !== 'unexpected');
