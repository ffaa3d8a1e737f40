import type { TopicId } from '@svc/sdk';
import { type Context, lines } from './context.ts';
import { usageError } from './exit.ts';
import { etchBlindOnce, horizonWarning, newIdempotencyKey } from './kept-blind.ts';
import { describe, tell, type TextOptions } from './make-etch.ts';
import { namedChain } from './named-chain.ts';
import { absoluteTime, isFromNow } from './options.ts';
import { refuseUnwritable } from './out-file.ts';
import { adviseRetry } from './report-error.ts';
import { openSession } from './session.ts';
import { readText } from './text-input.ts';

export interface BlindOptions extends TextOptions {
  sealedUntil?: string;
  description?: string;
  topic: string;
  chain?: string;
}

/** Encrypts on this machine: the service never receives the text. */
export async function etchBlind(
  text: string | undefined,
  options: BlindOptions,
  context: Context,
): Promise<void> {
  refuseUnwritable(options.save);
  const given = await readText(text, options, context);
  const readsText = options.file === '-' || (options.file === undefined && (text ?? '-') === '-');
  const description = await describe(options.description, given, readsText, context);
  const { client, keyPair, profileName } = openSession(options, context.env);
  const { chain, TimelockError } = await namedChain(options.chain);
  const wanted = options.sealedUntil!;
  const idempotencyKey = options.idempotencyKey ?? newIdempotencyKey();
  let sealedUntil = wanted;
  context.note(
    lines(
      'Encrypted on this machine. A retraction cannot undo this: anyone with a copy of the ciphertext can open it from its time on.',
    ),
  );
  try {
    const { seal, ...made } = await etchBlindOnce(
      client,
      {
        content: given,
        description,
        category_id: options.topic as TopicId,
        async until(kept) {
          const now = await client.serverTime();
          sealedUntil = kept !== undefined && isFromNow(wanted) ? kept : await absoluteTime(wanted, client);
          const horizon = horizonWarning(sealedUntil, now);
          if (horizon !== undefined) context.note(lines(`Careful: ${horizon}`));
          return sealedUntil;
        },
      },
      { chain, sign: options.sign ? keyPair : undefined },
      { env: context.env, profileName, idempotencyKey },
    );
    const blind = { chain: seal.chain, round: seal.round, due: seal.due };
    await tell(made, client, options, context, { more: { blind }, seal });
  } catch (error) {
    adviseRetry(error, [
      ...['--sealed-until', sealedUntil],
      ...(options.description === undefined ? ['--description', description] : []),
    ]);
    if (error instanceof TimelockError || error instanceof RangeError) throw usageError(error.message);
    throw error;
  }
}
