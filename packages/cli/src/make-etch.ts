import type { Command } from 'commander';
import type { BlindSeal } from '@svc/protocol/conventions';
import { sharedWords } from '@svc/sdk';
import type { Client, Etch, EtchBody, Etched } from '@svc/sdk';
import type { KnownChallenge } from '@svc/verifier/answers';
import { answer, ask, lines } from './context.ts';
import type { Context } from './context.ts';
import { etchWords } from './etch-words.ts';
import { CommandError, EXIT } from './exit.ts';
import { count } from './options.ts';
import { refuseUnwritable, writeOut } from './out-file.ts';
import { pinsPath, readPin } from './pins.ts';
import { openSession } from './session.ts';
import type { ServiceOptions } from './session.ts';
import { adviseRetry } from './report-error.ts';
import { waitFor } from './wait.ts';

/** An attestation is to be at most ten minutes after the etch. */
const WAIT_SECONDS = 600;

export interface TextOptions extends ServiceOptions {
  file?: string;
  exact: boolean;
  sign: boolean;
  wait: boolean;
  timeout?: number;
  idempotencyKey?: string;
  save?: string;
}

/** What commands that etch share. */
export const withText = (command: Command): Command =>
  command
    .option('--file <path>', 'take the text from a file, - for standard input')
    .option('--exact', 'keep a line end at the very end of a file or of standard input', false)
    .option('--no-sign', 'do not sign, although the profile has a key pair')
    .option(
      '--wait',
      'wait until it is anchored on the chain, and say meanwhile why it takes its time',
      false,
    )
    .option(
      '--timeout <seconds>',
      `with --wait: end after so long, with exit status ${EXIT.wait}; it is made all the same (default: ${WAIT_SECONDS})`,
      count,
    )
    .option(
      '--save <file>',
      'keep the service’s signed promise together with the text (see svc verify --promise)',
    )
    .option(
      '--idempotency-key <key>',
      'the same key with the same text never etches twice, today or in years',
    );

/** Etches, and waits when asked to. `retry`: options with which a repetition is the same request. */
export async function make(
  body: EtchBody,
  options: TextOptions,
  context: Context,
  {
    more = {},
    retry = [],
    challenge,
  }: {
    more?: object | undefined;
    retry?: readonly string[];
    challenge?: KnownChallenge | undefined;
  } = {},
): Promise<Etch> {
  refuseUnwritable(options.save);
  const { client, keyPair } = openSession(options, context.env);
  const made = await client
    .etch(body, {
      sign: options.sign ? keyPair : undefined,
      idempotencyKey: options.idempotencyKey,
      challenge,
    })
    .catch((error: unknown) => {
      adviseRetry(error, retry);
      throw error;
    });
  return tell(made, client, options, context, { more });
}

/** What was etched: the promise kept, the chain waited for, and the answer. */
export async function tell(
  { etch, replayed, promise, content }: Etched,
  client: Client,
  options: TextOptions,
  context: Context,
  { more, seal }: { more: object; seal?: BlindSeal },
): Promise<Etch> {
  // Before anything else can fail: it is the only proof that the service accepted the etch. The content may still be secret.
  if (options.save !== undefined) writeOut(options.save, { ...promise, content });
  noteMissingPin(client.origin, context);
  if (replayed) context.note(lines('This key was used before: this is the etch it made then.'));
  const shown = options.wait ? await waitForChain(etch, client, options, context) : etch;
  answer(context, options, { etch: shown, replayed, promise, ...more }, etchWords(shown, seal));
  return shown;
}

/** Without a pinned key a promise or an opening may be a stranger's. */
export function noteMissingPin(origin: string, context: Context): void {
  const pin = readPin(pinsPath(context.env), origin);
  if (pin === null || pin.promiseKeys.length === 0)
    context.note(
      lines(
        `No promise key of ${origin} is pinned: nothing shows who signed this. Pin it: svc trust ${origin}`,
      ),
    );
}

/** A pending etch is made all the same: it is shown as it is when the time is over. */
async function waitForChain(
  made: Etch,
  client: Client,
  { timeout = WAIT_SECONDS }: TextOptions,
  context: Context,
): Promise<Etch> {
  context.note(lines(`etched ${made.short_url}; waiting for the chain, for ${timeout} seconds at most`));
  const { etch, isLate } = await waitFor(
    'anchored',
    client,
    made.id,
    { timeoutSeconds: timeout, etch: made },
    context,
  );
  if (isLate) {
    context.note(
      lines(`Not anchored within ${timeout} seconds. It is made, and will be: svc watch ${etch.code}`),
    );
    context.finish(EXIT.wait);
  }
  return etch;
}

/**
 * The description as given, or as a person at a terminal types it. It is public for ever and no retraction takes it back, so
 * it is never made out of the text, and what it gives away of the text is told.
 */
export async function describe(
  given: string | undefined,
  content: string,
  readsText: boolean,
  context: Context,
): Promise<string> {
  if (given === undefined && (readsText || !context.stdin.isTTY))
    throw new CommandError(
      EXIT.usage,
      'give --description: it is public at once and for ever, so it is never taken from the text',
    );
  const description = given ?? (await ask('Description, public at once and for ever: ', context));
  if (description.trim() === '') throw new CommandError(EXIT.usage, 'an etch needs a description');
  const shared = sharedWords(description, content);
  if (shared !== null)
    context.note(
      lines(
        `Careful: the description gives “${shared}” of the text away. It is public at once, and stays when the text is retracted.`,
      ),
    );
  return description;
}
