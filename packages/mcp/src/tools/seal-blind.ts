import { TimelockError } from '@svc/protocol/timelock';
import { writingTool } from '../tool.ts';
import { answerMade, DESCRIBED } from '../outputs.ts';
import { descriptionWarning, refuseMalformed } from '../untrusted.ts';
import { asText, idempotencyKey, TERMS, termsOf, time, words } from './inputs.ts';

/** Not over HTTP, where the service would receive the text. */
export const sealBlind = writingTool({
  name: 'seal_blind',
  title: 'Seal a text without giving it to the service',
  description:
    'Encrypts a text (at most 1000 bytes) on this machine to the first drand round at or after reveal_at, and etches the ciphertext: nobody can read it earlier, and anyone can from then on. ' +
    'A retraction cannot undo this: copies of the ciphertext still open. For a text that can be erased, use seal. ' +
    'A forecast is svc-forecast:v1 yes=0.72 on the first line; your reasoning follows below.',
  input: {
    content: words(1000).describe(
      'The text, at most 1000 bytes of UTF-8, committed byte for byte. It can never be edited.',
    ),
    ...TERMS,
    reveal_at: time.describe(
      'The time from which anyone can open it: RFC 3339 with Z or an offset, in the future. The service must etch it before that time.',
    ),
    idempotency_key: idempotencyKey,
    as_text: asText,
  },
  output: { ...DESCRIBED, 'horizon_warning?': 'string' },
  forAccount: true,
  async run({ content: text, reveal_at, idempotency_key, as_text, ...given }, { client, keyPair, settings }) {
    const { keeper } = settings;
    if (settings.drand === undefined) throw new TypeError('no drand chain is pinned');
    refuseMalformed(text, null, as_text);
    try {
      const body = { content: text, ...termsOf(given), sealed_until: reveal_at };
      const how = { chain: settings.drand, sign: keyPair, idempotencyKey: idempotency_key };
      const made = await (keeper === undefined
        ? client.etchBlind(body, how)
        : keeper.etchBlind(client, body, how));
      return answerMade(made, settings, {
        description_warning: descriptionWarning(given.description, text),
        horizon_warning: keeper?.horizonWarning(reveal_at, Date.now()),
      });
    } catch (error) {
      if (error instanceof TimelockError || error instanceof RangeError)
        throw new TypeError(error.message, { cause: error });
      throw error;
    }
  },
});
