import type { TopicId } from '@svc/sdk';
import { lines } from './context.ts';
import type { Context } from './context.ts';
import { CommandError, EXIT } from './exit.ts';
import { describe, tell } from './make-etch.ts';
import type { TextOptions } from './make-etch.ts';
import { namedChain } from './named-chain.ts';
import { refuseUnwritable } from './out-file.ts';
import { openSession } from './session.ts';
import { readText } from './text-input.ts';

export interface BlindOptions extends TextOptions {
  sealedUntil?: string;
  description?: string;
  topic: string;
  chain?: string;
}

/** Encrypted here: what the service gets of the text is ciphertext, for ever. */
export async function etchBlind(
  text: string | undefined,
  options: BlindOptions,
  context: Context,
): Promise<void> {
  refuseUnwritable(options.save);
  const given = await readText(text, options, context);
  const readsText = options.file === '-' || (options.file === undefined && (text ?? '-') === '-');
  const description = await describe(options.description, given, readsText, context);
  const { client, keyPair } = openSession(options, context.env);
  const { chain, TimelockError } = await namedChain(options.chain);
  context.note(
    lines(
      'Encrypted here. Nobody can take it back: whoever copies the ciphertext opens it at its time, also after a retraction.',
    ),
  );
  try {
    const { seal, ...made } = await client.etchBlind(
      {
        content: given,
        description,
        category_id: options.topic as TopicId,
        sealed_until: options.sealedUntil!,
      },
      { chain, sign: options.sign ? keyPair : undefined, idempotencyKey: options.idempotencyKey },
    );
    const blind = { chain: seal.chain, round: seal.round, due: seal.due };
    await tell(made, client, options, context, { more: { blind }, seal });
  } catch (error) {
    if (error instanceof TimelockError || error instanceof RangeError)
      throw new CommandError(EXIT.usage, error.message);
    throw error;
  }
}
