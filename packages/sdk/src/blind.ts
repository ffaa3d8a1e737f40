import type { Etch, InstantEtch } from '@svc/contract/types';
import { parseDateTime } from '@svc/protocol';
import type { BlindSeal } from '@svc/protocol/conventions';
import type { DrandChain } from '@svc/protocol/timelock';
import type { BlindSealCheck } from '@svc/verifier/opening';
import { ApiError } from './errors.ts';
import type { EtchBody, Etched, EtchOptions } from './etches.ts';
import type { CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';

/** What is etched blind: the text stays here, and what is sent of it is ciphertext. */
export interface BlindBody extends Pick<InstantEtch, 'description' | 'category_id'> {
  /** at most 1,000 bytes of UTF-8 */
  content: string;
  /** from when on everybody can open it: a time with its offset; the first round at or after it */
  sealed_until: string;
}

export interface BlindOptions extends EtchOptions {
  /** another chain than quicknet, as you know it: whoever holds its key reads what is encrypted to it */
  readonly chain?: DrandChain | undefined;
  /** the words that an earlier call sealed of the same body, to send again under its Idempotency-Key */
  readonly words?: string | undefined;
  /** receives the words before they are sent: keep them until the call ends, for no second call would make the same ones */
  readonly onSealed?: ((words: string) => void | Promise<void>) | undefined;
}

export interface OpenBlindOptions extends CallOptions {
  readonly chain?: DrandChain | undefined;
  /** the signature of its round, in hex, for whoever has it; else the service is asked once the round is due */
  readonly signature?: string | undefined;
}

/** A blind seal, and what it holds. */
export interface OpenedBlind extends BlindSealCheck {
  seal: BlindSeal;
}

/** @throws {RangeError} naming both clocks, for a wrong one is the most frequent reason */
function timeToCome(text: string, now: number): number {
  const time = parseDateTime(text);
  if (time === null)
    throw new RangeError(
      'sealed_until is not a time to come: give RFC 3339 with Z or an offset (2030-01-31T12:00:00Z)',
    );
  if (Date.parse(time) > now) return Date.parse(time);
  const clocks = [now, Date.now()].map((at) => new Date(at).toISOString());
  throw new RangeError(
    `sealed_until ${time} is not a time to come: the service’s clock says ${clocks[0]}, this machine’s ${clocks[1]}`,
  );
}

/** Loaded by whom it is used: curves and ciphers weigh more than the rest of the client. */
const rooms = async () => ({
  ...(await import('@svc/protocol/conventions')),
  ...(await import('@svc/protocol/timelock')),
  ...(await import('@svc/verifier/opening')),
});

/** Texts that their author encrypts here, and that the service never has (docs/protocol.md#412-blind-seals). */
export function blindCalls(
  transport: Transport,
  etch: (body: EtchBody, options?: EtchOptions) => Promise<Etched>,
) {
  /** Of a due round; the answer is checked by the chain's key. */
  async function signatureOf(chain: DrandChain, round: number, signal: AbortSignal | undefined) {
    const params = { chain: chain.hash, round: String(round) };
    const { value } = await transport.call('getBeacon', { params, signal }, { pins: { drand: chain } });
    return value.signature;
  }

  return {
    /**
     * Encrypts a text here and etches the ciphertext: nobody reads it before `sealed_until`, the service included, and from then on
     * everybody. Copies of the ciphertext outlive a retraction. Each call encrypts anew: to repeat one whose answer was lost, give its
     * `words` (see `onSealed`) with its Idempotency-Key. The maintainers of drand advise against horizons above two years.
     * @throws {RangeError} when `sealed_until` is not RFC 3339 with `Z` or an offset, not ahead, or beyond the rounds of the chain; nothing was sent
     * @throws {TimelockError} when the text is longer than 1,000 bytes of UTF-8, or empty
     * @throws {ApiError} as `etch` does; `unexpected` when it was etched only after its round
     * @example
     * const { etch, seal } = await client.etchBlind({
     *   content: 'None by then.',
     *   description: 'Herons',
     *   category_id: 'science',
     *   sealed_until: '2099-01-01T00:00:00Z',
     * });
     * seal.due; // '2099-01-01T00:00:00.000Z'
     * etch.content.startsWith('svc-tlock:v1|'); // true
     */
    async etchBlind(
      { content, sealed_until, ...beside }: BlindBody,
      { chain: named, words: kept, onSealed, ...options }: BlindOptions = {},
    ): Promise<Etched & { seal: BlindSeal }> {
      const { QUICKNET, RANDOM_BYTES, readBlindSeal, roundAt, sealBlind } = await rooms();
      const chain = named ?? QUICKNET;
      const now = transport.clock.now();
      const round = roundAt(chain, timeToCome(sealed_until, now));
      const random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
      const words = kept ?? sealBlind(chain, round, content, random);
      // What does not read as a seal now would be etched as a text that nobody can open.
      if (readBlindSeal(words, new Date(now).toISOString(), chain)?.round !== round)
        throw new RangeError(
          kept === undefined
            ? `sealed_until is beyond the rounds of the drand chain ${chain.hash}: give an earlier time`
            : 'words are not sealed until sealed_until on this chain: leave them out, and the text is sealed anew',
        );
      if (kept === undefined) await onSealed?.(words);
      const made = await etch({ ...beside, content: words, mode: 'instant' }, options);
      const seal = readBlindSeal(made.etch.content, made.etch.created_at, chain);
      if (seal === undefined)
        throw new ApiError(
          `the etch ${made.etch.id} was made after the time it was to be sealed until, so it is a mere text`,
          { code: 'unexpected', status: 201 },
        );
      return { ...made, seal };
    },

    /**
     * What a blind seal holds: by the signature given, or once its round is due by the service's, which is checked by the chain's key.
     * Before that `badge` is `sealed`. That the ciphertext was attested in time is for `verify` to show.
     * @throws {TypeError} when the words are no blind seal of this chain
     * @throws {ApiError} when the service is asked and does not have the signature (422: it asks no relay)
     * @example
     * const { etch } = await client.etchBlind({
     *   content: 'None by then.',
     *   description: 'Herons',
     *   category_id: 'science',
     *   sealed_until: '2099-01-01T00:00:00Z',
     * });
     * (await client.openBlind(etch)).badge; // 'sealed'
     */
    async openBlind(
      words: Pick<Etch, 'content' | 'created_at'>,
      { chain: named, signature, signal }: OpenBlindOptions = {},
    ): Promise<OpenedBlind> {
      const { checkBlindSeal, QUICKNET, readBlindSeal } = await rooms();
      const chain = named ?? QUICKNET;
      const seal = readBlindSeal(words.content, words.created_at, chain);
      if (seal === undefined) throw new TypeError(`these words are no blind seal of the chain ${chain.hash}`);
      const isDue = Date.parse(seal.due) <= transport.clock.now();
      const known = signature ?? (isDue ? await signatureOf(chain, seal.round, signal) : null);
      return { ...checkBlindSeal(seal, chain, known), seal };
    },
  };
}
