import { printable, present, when } from './context.ts';
import { ApiError, ConnectionError, MisfitError, ReceiptError, RetractedError, WaitError } from '@svc/sdk';
import { EvidenceError } from '@svc/verifier/evidence';
import { CommandError, EXIT } from './exit.ts';
import { configFolder, fileErrorWords, writePrivate } from './config-folder.ts';
import { proxiesInUse } from './bounded-fetch.ts';
import { NotPublic } from './public-fetch.ts';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

const HINTS: Partial<Record<string, string>> = {
  unauthorized: 'Register with `svc register`, sign in with `svc login`, or set an API key in SVC_API_KEY.',
  forbidden:
    'Use a key that may write (svc keys create <name> --write makes one); only the author of an etch can reveal or retract it.',
};

interface Reported {
  status: number;
  text: string;
  code?: string;
  /** further fields of the JSON */
  facts?: object;
}

export function reportError(error: unknown): Reported {
  const report = (status: number, words: string, more = {}) => ({ status, text: printable(words), ...more });
  if (error instanceof CommandError) return report(error.status, error.message);
  if (error instanceof ApiError)
    return { status: statusOf(error), text: apiWords(error), code: codeOf(error), facts: factsOf(error) };
  if (error instanceof ConnectionError) {
    const { mayHaveHappened, message } = error;
    const unsure = `The service may have carried out the request anyway.${again(error)}`;
    const why = whyNoAnswer(error);
    const first = (why === undefined ? message : `${message}: ${why}`).replace(/([^?.])$/, '$1.');
    const facts = { may_have_happened: mayHaveHappened, ...keyFact(error) };
    return report(EXIT.unavailable, [first, ...when(mayHaveHappened, unsure)].join(' '), { facts });
  }
  if (error instanceof RetractedError) {
    const words = `${error.message}. To etch the text again, give a new --idempotency-key.`;
    return report(EXIT.fail, words, { code: 'retracted' });
  }
  if (error instanceof WaitError) return report(EXIT.wait, error.message, { code: error.reason });
  if (error instanceof EvidenceError) return report(EXIT.fail, `not valid evidence: ${error.message}`);
  if (error instanceof ReceiptError)
    return report(EXIT.fail, `not a valid receipt: ${error.message}`, { code: 'bad_receipt' });
  const refused = fileErrorWords(error);
  if (refused !== undefined) return report(EXIT.usage, refused);
  return { status: EXIT.defect, text: defectWords(error) };
}

export function errorJson(error: unknown, args: readonly string[], kept: string | null): object {
  const { status, text, code = CODES[status] ?? 'defect', facts } = reportError(error);
  const message = status === EXIT.defect ? 'svc failed; see standard error' : text;
  const [command] = args;
  const verdict = command === 'verify' || command === 'audit' ? VERDICTS[status] : undefined;
  const shown = { code, message, exit_status: status, ...facts };
  return { result: verdict, error: { ...shown, ...present({ answer_file: kept }) } };
}

const codeOf = (error: ApiError): string => (error instanceof MisfitError ? 'misfit' : error.code);

const factsOf = (error: ApiError): object => ({
  status: error.status,
  details: error.details,
  retry_after_seconds: error.retryAfter,
  ...(error.serverTime === null ? {} : { service_time: new Date(error.serverTime).toISOString() }),
  ...keyFact(error),
  ...(error instanceof MisfitError && { operation: error.operation, misfits: error.misfits }),
});

function defectWords(error: unknown): string {
  if (process.env['SVC_DEBUG']) return String((error as Error).stack);
  return [
    printable(String(error)),
    'This is a defect of svc, or a malformed answer of the service. Run it again with SVC_DEBUG=1 to see the stack.',
  ].join('\n');
}

const VERDICTS: Partial<Record<number, 'fail' | 'wait'>> = { [EXIT.fail]: 'fail', [EXIT.wait]: 'wait' };

const CODES: Partial<Record<number, string>> = {
  [EXIT.fail]: 'refused',
  [EXIT.wait]: 'not_known',
  [EXIT.usage]: 'usage',
  [EXIT.input]: 'no_input',
  [EXIT.unavailable]: 'no_answer',
  [EXIT.permission]: 'unauthorized',
};

const keyFact = (error: ConnectionError | ApiError) =>
  error.idempotencyKey === null
    ? {}
    : { idempotency_key: error.idempotencyKey, retry_options: retryWith(error) };

const retryOptions = new WeakMap<Error, readonly string[]>();

export function adviseRetry(error: unknown, options: readonly string[]): void {
  if (error instanceof Error) retryOptions.set(error, options);
}

function retryWith(error: ConnectionError | ApiError): readonly string[] | null {
  if (error.idempotencyKey === null) return null;
  return [...(retryOptions.get(error) ?? []), '--idempotency-key', error.idempotencyKey];
}

const again = (error: ConnectionError | ApiError): string => {
  const options = retryWith(error);
  return options === null
    ? ''
    : ` Run the same command again with ${options.map(quoted).join(' ')}: it is carried out once.`;
};

const quoted = (word: string): string =>
  /^[\w.:/+@=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

function statusOf(error: ApiError): number {
  if (error instanceof MisfitError) return EXIT.fail;
  const { code, status } = error;
  if (code === 'unauthorized' || code === 'forbidden') return EXIT.permission;
  if (code === 'not_found') return EXIT.input;
  return status >= 500 || code === 'rate_limited' || code === 'unexpected' ? EXIT.unavailable : EXIT.fail;
}

function apiWords(error: ApiError): string {
  const { message, details, code, retryAfter, status, idempotencyKey } = error;
  const clocks = status === 400 || status === 401 ? clockWords(error.serverTime) : undefined;
  return [
    message,
    ...details.map(({ path, message: issue }) => `  ${path === '' ? 'request' : path}: ${issue}`),
    ...when(retryAfter !== null, `Try again in ${retryAfter} seconds.`),
    ...when(status >= 500 && idempotencyKey !== null, again(error).trimStart()),
    ...[clocks, HINTS[code]].filter((hint) => hint !== undefined),
  ]
    .map(printable)
    .join('\n');
}

/** A signature is accepted for five minutes. */
const MOST_OFF_MS = 60_000;

export function clockWords(other: number | null | undefined, whose = 'the service’s'): string | undefined {
  const here = Date.now();
  if (other == null || Math.abs(other - here) <= MOST_OFF_MS) return undefined;
  return `This machine’s clock says ${timeOf(here)}, ${whose} says ${timeOf(other)}: set this machine’s clock.`;
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed without an answer',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name cannot be resolved now',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was closed without an answer',
  EPROTO: 'the server does not speak TLS; try http://',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS; try http://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS; try http://',
};

export function whyNoAnswer(error: ConnectionError): string | undefined {
  const [why, proxies] = [reasonOf(error), proxiesInUse()];
  if (proxies.length === 0) return why;
  return [why, `requests go through ${proxies.join(' and ')}`].filter(Boolean).join('; ');
}

function reasonOf({ cause }: ConnectionError): string | undefined {
  if (cause instanceof NotPublic) return `it ${cause.message}`;
  const inner = (cause as { cause?: { code?: unknown; name?: unknown; message?: unknown } } | null)?.cause;
  const code = typeof inner?.code === 'string' ? inner.code : '';
  if (REASONS[code] !== undefined) return REASONS[code];
  // Newer Node.js gives no code.
  if (code.startsWith('HPE_') || inner?.name === 'HTTPParserError') return 'the server does not speak HTTP';
  if (/CERT|SELF_SIGNED|VERIFY/.test(code))
    return `its certificate is not trusted (${code}; this machine’s clock says ${new Date().toISOString()})`;
  if (inner?.message === 'bad port') return 'HTTP clients block this port';
  return undefined;
}

/**
 * Evidence against the service or a proxy, with each wrong field.
 * @returns null when it cannot be written
 */
export function keepAnswer(
  { operation, misfits, answer }: MisfitError,
  env: NodeJS.ProcessEnv,
): string | null {
  const text = `${JSON.stringify({ operation, misfits, answer }, null, 2)}\n`;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const path = join(configFolder(env), 'answers', `${operation}-${name}.json`);
  try {
    writePrivate(path, text);
    return path;
  } catch {
    return null;
  }
}
