import type { BodyOf, Etch, EtchPromise, RetractedEtch } from '@svc/contract/types';
import type { KnownChallenge } from '@svc/verifier/answers';
import { ApiError, RetractedError } from './errors.ts';
import type { KeyPair } from './key-pair.ts';
import type { CallOptions, CreateOptions } from './operations.ts';
import type { Transport } from './transport.ts';
import { isAnchored, isRevealed, until, type WaitOptions } from './wait.ts';
import type { PublicFields } from '@svc/protocol';

/** An absent field may be undefined. */
export type Lenient<T> = T extends unknown
  ? { [K in keyof T]: T extends Record<K, T[K]> ? T[K] : T[K] | undefined }
  : never;

export type EtchBody = Lenient<BodyOf<'createEtch'>>;

export interface EtchOptions extends CreateOptions {
  readonly sign?: KeyPair | undefined;
  /** the answered challenge, compared with the answer */
  readonly challenge?: KnownChallenge | undefined;
}

export interface Etched {
  etch: Etch;
  /** an earlier request with the same Idempotency-Key made the etch */
  replayed: boolean;
  /** store it with the content, to check later whether the service kept it */
  promise: EtchPromise;
  content: string;
  /** why the content does not count as a forecast or as an answer */
  note: string | undefined;
}

/** Loaded on first use, because of the curves. */
const signed = async (userId: string, content: string, keyPair: KeyPair): Promise<string> =>
  (await import('./key-pair.ts')).signEtch(userId, content, keyPair);

export function etchCalls(transport: Transport) {
  let userId: Promise<string> | undefined;
  const ownId = async (signal: AbortSignal | undefined): Promise<string> => {
    userId ??= transport.call('getMe', { signal }).then(({ value }) => value.user.id);
    try {
      return await userId;
    } catch (error) {
      userId = undefined;
      throw error;
    }
  };
  /** @param earlier its constant fields must be the same */
  const read = async (id: string, options: CallOptions, earlier?: Etch): Promise<Etch> =>
    await transport.field('getEtch', 'etch', { params: { id }, ...options }, { known: { etch: earlier } });
  const getEtch = (id: string, options: CallOptions = {}): Promise<Etch> => read(id, options);
  /** Compares each answer with the one before. */
  const lookAt = (id: string, shown: Etch | undefined) => {
    let earlier = shown;
    return async (signal: AbortSignal | undefined): Promise<Etch> =>
      (earlier = await read(id, { signal }, earlier));
  };

  const untilReveal = ({ reveal_at }: Etch): number =>
    reveal_at === null ? 0 : Date.parse(reveal_at) - transport.clock.now();

  return {
    /**
     * Commits to a text (docs/specification.md#post-etches). Retries use one Idempotency-Key, so they never
     * etch twice.
     * @throws {MisfitError} when the answer contradicts the request or your pins
     * @throws {ApiError} when the service rejects the request
     * @throws {RetractedError} when the etch of this key is retracted
     * @example
     * const body = { content: 'High water.', description: 'A tide', category_id: 'science', mode: 'instant' };
     * const { etch } = await client.etch(body, { sign: keyPair });
     * etch.signature.public_key; // keyPair.publicKey
     */
    async etch(body: EtchBody, { sign, challenge, ...options }: EtchOptions = {}): Promise<Etched> {
      const { idempotencyKey, signal } = options;
      const author = sign && { userId: await ownId(signal), publicKey: sign.publicKey };
      const signature = sign && author && { signature: await signed(author.userId, body.content, sign) };
      const { value, replayed } = await transport.call(
        'createEtch',
        { body: { ...body, ...signature } as BodyOf<'createEtch'>, idempotencyKey, signal },
        { known: { author, challenge } },
      );
      if (value.etch.status === 'retracted') throw new RetractedError(value.etch, idempotencyKey ?? null);
      const { content } = body;
      const { promise, note } = value;
      if (promise === null)
        throw new ApiError(
          `etch ${value.etch.id} gets no promise again, because its operator took the description down`,
          { code: 'unexpected', status: 201, idempotencyKey: idempotencyKey ?? null },
        );
      return { etch: value.etch, replayed, promise, content, note };
    },
    /**
     * @throws {ApiError} `not_found`
     * @example
     * (await client.getEtch(etch.id)).content; // 'A heron at the weir.'
     */
    getEtch,
    /**
     * The etch at `/e/<code>`.
     * @throws {ApiError} `not_found`
     * @example
     * (await client.findByCode(etch.code)).id; // etch.id
     */
    async findByCode(code: string, { signal }: CallOptions = {}): Promise<Etch> {
      return ((await transport.atCode('findByCode', '/e/', code, signal)) as { etch: Etch }).etch;
    },
    /**
     * By hash.
     * @example
     * (await client.findEtch(etch.hash)).id; // etch.id
     */
    findEtch: (hash: string, options: CallOptions = {}): Promise<Etch> =>
      transport.field('findEtchByHash', 'etch', { query: { hash }, ...options }),
    /**
     * Writes a due reveal at once. 422 before the reveal time.
     * @example
     * (await client.reveal(etch.id)).status; // 'revealed'
     */
    reveal: (id: string, options: CallOptions = {}): Promise<Etch> =>
      transport.field('revealEtch', 'etch', { params: { id }, ...options }),
    /**
     * Erases text, salt and signature permanently.
     * @returns the tombstone
     * @example
     * const body = { content: 'Better not.', description: 'A mistake', category_id: 'personal', mode: 'instant' };
     * const { etch } = await client.etch(body);
     * (await client.retract(etch.id)).content; // null
     */
    async retract(id: string, options: CallOptions = {}): Promise<RetractedEtch> {
      const before = await getEtch(id, options);
      try {
        const known = { etch: before };
        return await transport.field('retractEtch', 'etch', { params: { id }, ...options }, { known });
      } catch (error) {
        // After a lost answer, the second attempt fails with 422.
        const isDone = error instanceof ApiError && error.status === 422 && before.status !== 'retracted';
        if (!isDone) throw error;
        const after = await read(id, options, before);
        if (after.status !== 'retracted') throw error;
        return after;
      }
    },
    /**
     * @throws {WaitError} after `timeoutMs`
     * @example
     * (await client.waitForAnchored(etch.id, { timeoutMs: 60_000 })).chain.status; // 'anchored'
     */
    waitForAnchored: (id: string, options: WaitOptions = {}): Promise<Etch> =>
      until(lookAt(id, options.etch), isAnchored, options),
    /**
     * @throws {WaitError} when the etch is retracted, or after `timeoutMs`
     * @example
     * // `sealed` opens within seconds
     * (await client.waitForRevealed(sealed.id)).status; // 'revealed'
     */
    waitForRevealed: (id: string, options: WaitOptions = {}): Promise<Etch> =>
      until(lookAt(id, options.etch), isRevealed, options, untilReveal),
  };
}

/**
 * The fields that a promise covers.
 * @example
 * publicFieldsOf(etch).topic; // 'science'
 */
export const publicFieldsOf = ({
  description,
  category,
  mode,
  reveal_at,
  challenge,
}: Etch): PublicFields => ({
  description,
  topic: category.id,
  mode,
  revealAt: reveal_at,
  challengeId: challenge?.id ?? null,
});
