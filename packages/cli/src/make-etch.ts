import { answer, flag, type InputOf, read } from './command.ts';
import { ask, type Context, say } from './context.ts';
import type { BlindSeal } from '@svc/protocol/conventions';
import { type Client, type Etch, type EtchBody, type Etched, sharedWords } from '@svc/sdk';
import type { KnownChallenge } from '@svc/verifier/answers';
import { etchWords } from './etch-words.ts';
import { EXIT, usageError } from './exit.ts';
import { count, type ServiceOptions } from './options.ts';
import { refuseUnwritable, writeOut } from './out-file.ts';
import { pinsPath, readPin } from './pins.ts';
import { openSession } from './session.ts';
import { adviseRetry } from './report-error.ts';
import { waitFor } from './wait.ts';

export const WAIT_SECONDS = 600;

export const MAKE_OPTIONS = {
  '--no-sign': 'do not sign, even if the profile has a key pair',
  '--wait': flag('wait until the etch is anchored on the chain, and report progress'),
  '--timeout <seconds>': read(
    count,
    `with --wait: stop waiting after this time, with exit status ${EXIT.wait}; the etch is made anyway (default: ${WAIT_SECONDS})`,
  ),
  '--save <file>': 'write the service’s signed promise and the text to this file (see svc verify --promise)',
  '--idempotency-key <key>': 'a retry with the same key and text makes no second etch, even after years',
};
type MakeOptions = ServiceOptions & InputOf<typeof MAKE_OPTIONS>;

export const TEXT_OPTIONS = {
  '--file <path>': 'read the text from a file, - for standard input',
  '--exact': flag('keep the line end at the end of a file or of standard input'),
  ...MAKE_OPTIONS,
};

interface MakeExtras {
  more?: object | undefined;
  /** options that make a retry the same request */
  retry?: readonly string[];
  challenge?: KnownChallenge | undefined;
}

export async function makeEtch(
  body: EtchBody,
  options: MakeOptions,
  context: Context,
  { more = {}, retry = [], challenge }: MakeExtras = {},
): Promise<Etch> {
  refuseUnwritable(options.save);
  const { client, keyPair } = openSession(options, context.env);
  const { sign, idempotencyKey } = options;
  const made = await client
    .etch(body, { sign: sign ? keyPair : undefined, idempotencyKey, challenge })
    .catch((error: unknown) => {
      adviseRetry(error, retry);
      throw error;
    });
  return reportEtch(made, client, options, context, { more });
}

export async function reportEtch(
  { etch, replayed, promise, content }: Etched,
  client: Client,
  options: MakeOptions,
  context: Context,
  { more, seal }: { more: object; seal?: BlindSeal },
): Promise<Etch> {
  // First: the promise is the only proof of acceptance. The content may still be secret.
  if (options.save !== undefined) writeOut(options.save, { ...promise, content });
  noteMissingPin(client.origin, context);
  if (replayed) say(context, 'This key was used before; this is the etch that it made then.');
  const shown = options.wait ? await waitForChain(etch, client, options, context) : etch;
  const value = { etch: shown, replayed, promise, ...more };
  answer(context, options, { value, words: etchWords(shown, seal) });
  return shown;
}

/** Without a pinned key, anyone could have signed it. */
export function noteMissingPin(origin: string, context: Context): void {
  const pin = readPin(pinsPath(context.env), origin);
  if (pin === null || pin.promiseKeys.length === 0)
    say(
      context,
      `No promise key of ${origin} is pinned, so the signer of this promise is not verified. Pin the key: svc trust ${origin}`,
    );
}

async function waitForChain(
  made: Etch,
  client: Client,
  { timeout = WAIT_SECONDS }: MakeOptions,
  context: Context,
): Promise<Etch> {
  say(context, `etched ${made.short_url}; waiting for the chain, at most ${timeout} seconds`);
  const { etch, isLate } = await waitFor('anchored', client, { id: made.id, timeout, etch: made }, context);
  if (isLate) {
    say(
      context,
      `Not anchored within ${timeout} seconds. The etch exists and will be anchored; wait with: svc watch ${etch.code}`,
    );
    context.finish(EXIT.wait);
  }
  return etch;
}

/**
 * Never derived from the text, because it stays public even after a retraction. Warns of words that it shares with
 * the text.
 */
export async function readDescription(
  given: string | undefined,
  content: string,
  readsText: boolean,
  context: Context,
): Promise<string> {
  if (given === undefined && (readsText || !context.stdin.isTTY))
    throw usageError(
      'give --description: it is public at once and permanently, so svc does not derive it from the text',
    );
  const description = given ?? (await ask('Description, public at once and permanently: ', context));
  if (description.trim() === '') throw usageError('an etch needs a description');
  const shared = sharedWords(description, content);
  if (shared !== null)
    say(
      context,
      `Careful: the description reveals “${shared}” of the text. It is public at once, and stays public after a retraction.`,
    );
  return description;
}
