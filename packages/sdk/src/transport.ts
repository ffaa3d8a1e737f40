import { OPERATIONS, REPEATED_INPUTS } from '@svc/contract/tables';
import type { OperationId, SuccessOf } from '@svc/contract/types';
import type { Exchange, Known, Pins } from '@svc/verifier/answers';
import { ApiError, ConnectionError, MisfitError } from './errors.ts';
import { type CreateOptions, type InputOf, pathOf, type QueryValue, type Repeat } from './operations.ts';
import { makeServiceClock, readAnswer, readBytes, type ServiceClock, toText } from './read-answer.ts';
import { RETRY, type RetryPolicy, withRetries } from './retry.ts';

/** A function returns the current key or token. */
export type Credential = string | (() => string | undefined | Promise<string | undefined>);

export interface ClientOptions {
  /** an origin, `https://svc.example.org` */
  readonly baseUrl: string;
  /** or a function that each attempt calls; without one, only public operations succeed */
  readonly apiKey?: Credential | undefined;
  /** replaces the platform's fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** milliseconds of one attempt; default: 30,000 */
  readonly timeoutMs?: number | undefined;
  /** answers must fit these values */
  readonly pins?: Pins | undefined;
  /** false when the caller checks the answers; default: true */
  readonly checkAnswers?: boolean | undefined;
}

export interface Answer<T> {
  readonly value: T;
  /** an earlier request with the same Idempotency-Key made it */
  readonly replayed: boolean;
}

export interface Transport {
  readonly origin: string;
  readonly clock: Pick<ServiceClock, 'now'>;
  /** from the options, else the platform's */
  readonly fetch: typeof globalThis.fetch;
  call<Id extends OperationId>(
    id: Id,
    input: InputOf<Id> & Pick<CreateOptions, 'idempotencyKey'>,
    more?: Compared,
  ): Promise<Answer<SuccessOf<Id>>>;
  value<Id extends OperationId>(id: Id, input: InputOf<Id>, more?: Compared): Promise<SuccessOf<Id>>;
  field<Id extends OperationId, Name extends keyof SuccessOf<Id>>(
    id: Id,
    name: Name,
    input: InputOf<Id>,
    more?: Compared,
  ): Promise<SuccessOf<Id>[Name]>;
  /** An older service returns JSON instead. */
  bytes<Id extends OperationId>(
    id: Id,
    input: InputOf<Id>,
    form: BytesForm,
  ): Promise<Uint8Array | SuccessOf<Id>>;
  /** A different id would make a command act on a different record. @throws {MisfitError} */
  atCode(
    operation: 'findByCode' | 'findChallengeByCode',
    path: '/e/' | '/ch/',
    code: string,
    signal?: AbortSignal,
  ): Promise<unknown>;
  /** Outside the API. `follow` allows redirects, because the request has no credential. */
  get(path: string, options?: GetOptions): Promise<unknown>;
}

export interface Compared {
  readonly known?: Known;
  /** override the client's pins */
  readonly pins?: Pins;
  /** the caller checks the answer */
  readonly check?: boolean;
}

interface BytesForm {
  readonly type: string;
  /** bytes */
  readonly most: number;
}

interface GetOptions {
  readonly signal?: AbortSignal | undefined;
  readonly follow?: boolean;
}

/** Protects the memory. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

type Sent = Omit<RequestInit, 'headers'> & { headers: Record<string, string> };

interface Asked {
  /** without this field, a different program answered */
  has: string | undefined;
  signal: AbortSignal | undefined;
  form?: BytesForm;
}

interface RequestInput extends CreateOptions {
  params?: Record<string, string>;
  query?: Record<string, QueryValue>;
  body?: unknown;
}

/** @throws {TypeError} when an option is unusable */
export function createTransport(options: ClientOptions): Transport {
  const { origin, protocol } = new URL(options.baseUrl);
  if (!/^https?:$/.test(protocol)) throw new TypeError('baseUrl is not an http or https url');
  const { apiKey } = options;
  if (typeof apiKey !== 'function') refuseUnusable(apiKey);
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  const policy: RetryPolicy = { ...RETRY, ...options.retry };
  const timeoutMs = options.timeoutMs ?? 30_000;
  const clock = makeServiceClock();

  async function once(path: string, init: RequestInit, { has, signal, form }: Asked) {
    const limit = new AbortController();
    // `AbortSignal.timeout` does not keep a process alive, nor does the fetch of Node.js 20 when a server
    // closes the connection at once. Without this timer the process would end with status 13 and no error.
    const timer = setTimeout(() => limit.abort(new DOMException('timed out', 'TimeoutError')), timeoutMs);
    const either = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
    const sentAt = Date.now();
    const idempotencyKey = keyOf(init);
    try {
      // A redirect would send the request and its signatures elsewhere.
      const asked: RequestInit = { redirect: 'manual', ...init, signal: either };
      const response = await (options.fetch === undefined && asked.redirect === 'follow'
        ? followed(send, origin + path, asked)
        : send(origin + path, asked));
      const serverTime = clock.read(response.headers, sentAt);
      const isWanted = form !== undefined && response.ok && isOfType(response, form.type);
      const bytes = await readBytes(response, path, isWanted ? form.most : MAX_ANSWER_BYTES);
      if (isWanted) return { value: bytes, response };
      const text = toText(response, bytes, path);
      return { value: readAnswer(response, text, idempotencyKey, has, serverTime), response };
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof ApiError) throw cause;
      throw new ConnectionError(
        limit.signal.aborted ? `no answer within ${timeoutMs} ms` : `${origin} cannot be reached`,
        {
          cause,
          mayHaveHappened: init.method !== undefined && init.method !== 'GET' && !wasRefused(cause),
          idempotencyKey,
        },
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** A retry uses the current token. */
  async function withCredential(init: Sent): Promise<Sent> {
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
    refuseUnusable(key);
    return key === undefined
      ? init
      : { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } };
  }

  const askApi = (path: string, init: Sent, asked: Asked, repeat: Repeat = 'always') =>
    withRetries(async () => once(path, await withCredential(init), asked), repeat, policy, asked.signal);

  async function read(path: string, has: string | undefined, { signal, follow }: GetOptions = {}) {
    const headers = { accept: 'application/json' };
    const init: RequestInit = follow === true ? { headers, redirect: 'follow' } : { headers };
    return (await withRetries(() => once(path, init, { has, signal }), 'always', policy, signal)).value;
  }

  const transport: Transport = {
    origin,
    clock,
    fetch: send,
    async call<Id extends OperationId>(id: Id, input: InputOf<Id>, more: Compared = {}) {
      const { params, query, body, signal, idempotencyKey } = input as RequestInput;
      const { method, repeat, mark: has } = OPERATIONS[id];
      const init: Sent = {
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(repeat === 'with-key' ? { 'idempotency-key': idempotencyKey ?? newKey() } : {}),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      const answered = await askApi(pathOf(id, params, query), init, { has, signal }, repeat);
      const value = answered.value as SuccessOf<Id>;
      const { status, headers } = answered.response;
      const replayed = headers.get('idempotent-replay') === 'true';
      if (more.check ?? options.checkAnswers ?? true) {
        const exchange = { operation: id, params, query, body, answer: value, replayed, known: more.known };
        await compare(exchange, { ...options.pins, ...more.pins }, { status, idempotencyKey: keyOf(init) });
      }
      return { value, replayed };
    },
    value: async (id, input, more) => (await transport.call(id, input, more)).value,
    field: async (id, name, input, more) => (await transport.value(id, input, more))[name],
    async atCode(operation, path, code, signal) {
      const has = operation === 'findByCode' ? 'etch' : 'challenge';
      const answer = await read(`${path}${encodeURIComponent(code)}`, has, { signal });
      await compare({ operation, params: { code }, answer }, {}, { status: 200, idempotencyKey: null });
      return answer;
    },
    async bytes<Id extends OperationId>(id: Id, input: InputOf<Id>, form: BytesForm) {
      const { params, query, signal } = input as RequestInput;
      const { method, mark: has } = OPERATIONS[id];
      // A service without that type answers with JSON.
      const init: Sent = { method, headers: { accept: `${form.type}, application/json;q=0.5` } };
      const { value } = await askApi(pathOf(id, params, query), init, { has, signal, form });
      return value as Uint8Array | SuccessOf<Id>;
    },
    get: (path, asked) => read(path, undefined, asked),
  };
  return transport;
}

const MOST_REDIRECTS = 5;

/**
 * Stays on the origin: a stranger's redirect could lead a program to hosts of its local network. A browser hides where
 * a redirect leads, and guards it itself.
 * @throws {TypeError} on a redirect to another origin
 */
async function followed(send: typeof globalThis.fetch, from: string, init: RequestInit): Promise<Response> {
  let url = from;
  for (let redirects = 0; ; redirects++) {
    const response = await send(url, { ...init, redirect: 'manual' });
    if (response.type === 'opaqueredirect') return send(from, init);
    const { status, headers, body } = response;
    const target = status >= 300 && status < 400 ? headers.get('location') : null;
    if (target === null || redirects === MOST_REDIRECTS) return response;
    await body?.cancel();
    const next = new URL(target, url);
    if (next.origin !== new URL(from).origin) throw new TypeError(`it redirects to ${next.origin}`);
    url = next.href;
  }
}

/** @throws {MisfitError} */
async function compare(
  exchange: Exchange,
  pins: Pins,
  facts: Pick<ConstructorParameters<typeof MisfitError>[0], 'status' | 'idempotencyKey'>,
): Promise<void> {
  const { operation, answer } = exchange;
  // Loaded on first use: a page with `checkAnswers: false` does not need it.
  const { checkAnswer } = await import('@svc/verifier/answers');
  const misfits = await checkAnswer({ ...exchange, repeated: REPEATED_INPUTS }, pins);
  if (misfits.length > 0) throw new MisfitError({ operation, misfits, answer, ...facts });
}

/** The platform's own error would contain the key. */
function refuseUnusable(key: string | undefined): void {
  if (key !== undefined && !/^[!-~]+$/.test(key))
    throw new TypeError('apiKey contains characters that no key has');
}

/** 128 random bits; `randomUUID` is missing on pages without TLS. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const keyOf = ({ headers }: RequestInit) => new Headers(headers).get('idempotency-key');

/** Before the request was sent. Browsers do not report this. */
function wasRefused(error: unknown): boolean {
  const cause = (error as { cause?: { code?: unknown } } | null)?.cause;
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(String(cause?.code));
}

const isOfType = ({ headers }: Response, type: string): boolean =>
  headers.get('content-type')?.split(';', 1)[0]!.trim().toLowerCase() === type;
