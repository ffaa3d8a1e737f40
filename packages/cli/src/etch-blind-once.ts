import { createHash, randomBytes, scryptSync } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, type BlindBody, type BlindOptions, type Client, RetractedError } from '@svc/sdk';
import { configFolder, readPrivate, writePrivate } from './config-folder.ts';
import { usageError } from './exit.ts';

type BlindEtched = Awaited<ReturnType<Client['etchBlind']>>;

interface KeptRequest extends Omit<BlindBody, 'content'> {
  words: string;
  /** the id of the etch; absent: no answer arrived */
  etch?: string;
  salt: string;
  /** scrypt of the text: detects a different text, and slows down guesses */
  text: string;
}

interface BlindPlace {
  env: NodeJS.ProcessEnv;
  profileName: string;
  /** false: this program made the key, so no retry follows an answer */
  isGivenKey: boolean;
}

export const newIdempotencyKey = (): string => randomBytes(16).toString('hex');

const TWO_YEARS_MS = 2 * 365.25 * 86_400_000;

export const horizonWarning = (until: string, now: number): string | undefined =>
  Date.parse(until) - now > TWO_YEARS_MS
    ? 'the text opens in more than two years. The maintainers of drand advise a shorter time: if their network ends earlier, the text can never be opened. Keep a copy of the text.'
    : undefined;

/**
 * A new encryption would be a different request under the same Idempotency-Key. The profile folder keeps the ciphertext
 * until the service answers, and of a given key for every later retry.
 */
export async function etchBlindOnce(
  client: Client,
  body: BlindBody,
  { idempotencyKey, ...options }: Omit<BlindOptions, 'words' | 'onSealed'> & { idempotencyKey: string },
  { env, profileName, isGivenKey }: BlindPlace,
): Promise<BlindEtched> {
  const name = createHash('sha256').update(JSON.stringify([client.origin, profileName, idempotencyKey]));
  const file = join(configFolder(env), 'blind', `${name.digest('hex').slice(0, 32)}.json`);
  const save = (kept: KeptRequest) => writePrivate(file, `${JSON.stringify(kept, null, 2)}\n`);
  let kept = readPrivate(file) as KeptRequest | undefined;
  const isRetry = kept !== undefined;
  if (kept !== undefined) refuseOther(kept, body, idempotencyKey);
  try {
    const made = await client.etchBlind(body, {
      ...options,
      idempotencyKey,
      words: kept?.words,
      onSealed(words) {
        const salt = randomBytes(16).toString('hex');
        const { content, ...shown } = body;
        kept = { words, ...shown, salt, text: digestOf(content, salt) };
        save(kept);
      },
    });
    if (isGivenKey) save({ ...kept!, etch: made.etch.id });
    else rmSync(file, { force: true });
    return made;
  } catch (error) {
    if (isRetry ? isUseless(error) : wasRejected(error)) rmSync(file, { force: true });
    throw error;
  }
}

const digestOf = (text: string, salt: string): string => scryptSync(text, salt, 32).toString('hex');

function refuseOther(kept: KeptRequest, body: BlindBody, key: string): void {
  const { words: _, etch, salt, text, ...inputs } = kept;
  const [was, given] = [
    { content: text, ...inputs },
    { ...body, content: digestOf(body.content, salt) },
  ].map((one): Record<string, unknown> => ({ ...one, sealed_until: Date.parse(one.sealed_until) }));
  const differs = Object.keys({ ...was, ...given }).find((name) => given![name] !== was![name]);
  if (differs === undefined) return;
  throw usageError(
    `the key ${key} belongs to ${etch === undefined ? 'a request' : `etch ${etch}`} with a different ${NAMES[differs] ?? `--${differs}`}` +
      `${etch === undefined ? ', whose answer was lost' : ''}; nothing was sent. To retry that request, repeat its values`,
  );
}

/** Names of inputs that are not options of the same name. */
const NAMES: Readonly<Record<string, string>> = {
  content: 'text',
  category_id: '--topic',
  sealed_until: '--sealed-until',
};

export const wasRejected = (error: unknown): boolean =>
  error instanceof RetractedError ||
  (error instanceof ApiError && error.status < 500 && error.code !== 'unexpected');

/** The service checks credentials and limits before the key, so their errors do not say whether the etch exists. */
export const isUseless = (error: unknown): boolean =>
  wasRejected(error) &&
  !(error instanceof ApiError && ['unauthorized', 'forbidden', 'rate_limited'].includes(error.code));
