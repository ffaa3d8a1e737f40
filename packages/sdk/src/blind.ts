import type { Etch, InstantEtch } from '@svc/contract/types';
import type { BlindSeal } from '@svc/protocol/conventions';
import type { DrandChain } from '@svc/protocol/timelock';
import type { BlindSealCheck } from '@svc/verifier/opening';
import { ApiError } from './errors.ts';
import type { EtchBody, Etched, EtchOptions, Lenient } from './etches.ts';
import type { CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';

/** The client sends only the ciphertext of `content`. */
export interface BlindBody extends Omit<
  Lenient<InstantEtch>,
  'content' | 'mode' | 'reveal_at' | 'challenge_id' | 'signature'
> {
  /** at most 1,000 bytes of UTF-8 */
  content: string;
  /** RFC 3339 with `Z` or an offset; every reader can open the text from the next drand round on */
  sealed_until: string;
}

export interface BlindOptions extends EtchOptions {
  /** default: quicknet. The owner of the chain's key can read the text at any time. */
  readonly chain?: DrandChain | undefined;
  /** of an earlier call with the same body, to retry it under its Idempotency-Key */
  readonly words?: string | undefined;
  /** store the words for a retry before they are sent: a second call makes different words */
  readonly onSealed?: ((words: string) => void | Promise<void>) | undefined;
}

export interface OpenBlindOptions extends CallOptions {
  readonly chain?: DrandChain | undefined;
  /** of the round, in hex; default: from the service */
  readonly signature?: string | undefined;
}

export interface OpenedBlind extends BlindSealCheck {
  seal: BlindSeal;
}

/** @throws {RangeError} naming both clocks, because a wrong local clock is the usual cause */
function timeToCome(time: string | null, now: number): number {
  if (time === null)
    throw new RangeError(
      'sealed_until is not a valid time: give RFC 3339 with Z or an offset (2030-01-31T12:00:00Z)',
    );
  if (Date.parse(time) > now) return Date.parse(time);
  const clocks = [now, Date.now()].map((at) => new Date(at).toISOString());
  throw new RangeError(
    `sealed_until ${time} is not in the future: the service’s clock says ${clocks[0]}, this machine’s ${clocks[1]}`,
  );
}

/** Loaded on first use, because of the curves and ciphers. */
const loadModules = async () => ({
  ...(await import('@svc/protocol')),
  ...(await import('@svc/protocol/conventions')),
  ...(await import('@svc/protocol/timelock')),
  ...(await import('@svc/verifier/opening')),
});

export function blindCalls(
  transport: Transport,
  etch: (body: EtchBody, options?: EtchOptions) => Promise<Etched>,
) {
  /** Verified under the chain's key. */
  async function signatureOf(chain: DrandChain, round: number, signal: AbortSignal | undefined) {
    const params = { chain: chain.hash, round: String(round) };
    const { value } = await transport.call('getBeacon', { params, signal }, { pins: { drand: chain } });
    return value.signature;
  }

  return {
    /**
     * Etches only the ciphertext of a text (docs/protocol.md#412-blind-seals). Copies of it outlive a
     * retraction. The maintainers of drand advise against more than two years. To retry after a lost answer,
     * pass the Idempotency-Key and the `words` that `onSealed` received.
     * @throws {RangeError} when `sealed_until` is malformed, not in the future, or beyond the chain's rounds;
     * nothing was sent
     * @throws {TimelockError} when the text is empty or too long
     * @throws {ApiError} as `etch`; `unexpected` when the service etched it after the round
     * @example
     * const { etch } = await client.etchBlind({
     *   content: 'None by then.',
     *   description: 'Herons',
     *   category_id: 'science',
     *   sealed_until: '2099-01-01T00:00:00Z',
     * });
     * etch.content.startsWith('svc-tlock:v1|'); // true
     */
    async etchBlind(
      { content, sealed_until, ...beside }: BlindBody,
      { chain: named, words: kept, onSealed, ...options }: BlindOptions = {},
    ): Promise<Etched & { seal: BlindSeal }> {
      const { parseDateTime, QUICKNET, RANDOM_BYTES, readBlindSeal, roundAt, sealBlind } =
        await loadModules();
      const chain = named ?? QUICKNET;
      const now = transport.clock.now();
      const round = roundAt(chain, timeToCome(parseDateTime(sealed_until), now));
      const random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
      const words = kept ?? sealBlind(chain, round, content, random);
      // Otherwise the etch would be a text that no reader can open.
      if (readBlindSeal(words, new Date(now).toISOString(), chain)?.round !== round)
        throw new RangeError(
          kept === undefined
            ? `sealed_until is beyond the rounds of the drand chain ${chain.hash}: give an earlier time`
            : 'words are not sealed until sealed_until on this chain: omit words to seal the text again',
        );
      if (kept === undefined) await onSealed?.(words);
      const made = await etch({ ...beside, content: words, mode: 'instant' }, options);
      const seal = readBlindSeal(made.etch.content, made.etch.created_at, chain);
      if (seal === undefined)
        throw new ApiError(
          `the service made the etch ${made.etch.id} after sealed_until, so it counts as a plain text`,
          { code: 'unexpected', status: 201 },
        );
      return { ...made, seal };
    },

    /**
     * Before the round, `badge` is `sealed`. `verify` checks that the ciphertext was attested in time.
     * @throws {TypeError} when the words are not a blind seal of this chain
     * @throws {ApiError} when the service does not have the signature (422: it has no relay)
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
      const { checkBlindSeal, QUICKNET, readBlindSeal } = await loadModules();
      const chain = named ?? QUICKNET;
      const seal = readBlindSeal(words.content, words.created_at, chain);
      if (seal === undefined)
        throw new TypeError(`these words are not a blind seal of the drand chain ${chain.hash}`);
      const isDue = Date.parse(seal.due) <= transport.clock.now();
      const known = signature ?? (isDue ? await signatureOf(chain, seal.round, signal) : null);
      return { ...checkBlindSeal(seal, chain, known), seal };
    },
  };
}
