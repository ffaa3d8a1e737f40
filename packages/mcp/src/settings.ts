import { readFileSync } from 'node:fs';
import { type DrandChain, QUICKNET } from '@svc/protocol/timelock';
import { keyPairOf } from '@svc/sdk';
import type { BlindBody, BlindOptions, Client, KeyPair, Trust } from '@svc/sdk';
import { normalizeTrust } from '@svc/verifier';

/** What an operator of the MCP server decides; everything else an agent may say. */
export interface Settings {
  baseUrl: string;
  apiKey: string | undefined;
  /** signs what is etched; undefined: etches are not signed */
  keyPair: KeyPair | undefined;
  /** whom `verify` trusts; undefined: what the service says of itself, and the answer tells so */
  trust: Trust | undefined;
  /** keys of the service's promises that are pinned; without them nothing shows whose promise an answer carries */
  promiseKeys?: readonly string[] | undefined;
  /** endpoints `verify` reads the chain through; empty: the one the service names */
  rpcUrls: readonly string[];
  /** certificates of time-stamping authorities that `evidence` trusts, in PEM; undefined: those that a call brings */
  tsaCertificates?: string | undefined;
  /** the drand chain whose blind seals are shown as such; undefined: none */
  drand: DrandChain | undefined;
  /** in place of the platform's, for the service and for the chain */
  fetch?: typeof globalThis.fetch | undefined;
  /** where the keys of this connection are kept; undefined: nowhere, so it can make no account */
  keeper?: Keeper | undefined;
  /** are tools that write left out? */
  readOnly?: boolean | undefined;
  /** is each request a connection of its own (HTTP)? Then nothing is remembered from one call to the next. */
  perRequest?: boolean | undefined;
}

/** Keeps the keys of an account where the model does not see them. */
export interface Keeper {
  /** by what name, for people */
  readonly profile: string;
  /** in which file */
  readonly path: string;
  /** @throws {TypeError} when keys of another account are kept there */
  keep(keys: { keyPair: KeyPair; apiKey: string; username?: string }): void;
  /**
   * Keeps a new key pair in a file until `register` has stored its account, or the service refused.
   * @throws what `register` throws; when the account may exist all the same, the message names the file
   */
  withNewKey<T>(keyPair: KeyPair, register: () => Promise<T>): Promise<T>;
  /**
   * Etches a blind seal whose ciphertext is kept on this machine until the service acknowledged it, and sent again under the same key.
   * @throws {TypeError} when the ciphertext that is kept under this key is of another request
   */
  etchBlind(
    client: Client,
    body: BlindBody,
    options: Pick<BlindOptions, 'chain' | 'sign' | 'idempotencyKey'>,
  ): ReturnType<Client['etchBlind']>;
  /** What to say of so late a blind seal; undefined of one that opens within two years. */
  readonly horizonWarning: (until: string, now: number) => string | undefined;
  /** What to say when the clocks of this machine and of the service differ; undefined when they agree. */
  readonly clockWords: (serverTime: number | null) => string | undefined;
  /**
   * A person's session lasts minutes and this program days: renews it when it is about to end.
   * @returns the key to use from now on; undefined: the one in use stays
   * @throws {TypeError} when what is kept cannot be used
   */
  renew(): Promise<string | undefined>;
  /** Looks at what the service publishes; the answer pins it. @throws {TypeError} when something else is pinned */
  meet(): Promise<() => void>;
}

/**
 * Reads `SVC_BASE_URL`, `SVC_API_KEY`, `SVC_SECRET_KEY`, `SVC_RPC_URL`, `SVC_TSA_CERTIFICATES` (a file), `SVC_READ_ONLY` and, all four or none, `SVC_CHAIN_ID`,
 * `SVC_ATTESTATION_CONTRACT`, `SVC_SCHEMA_UID` and `SVC_RELAYERS`. Lists are comma-separated.
 * @throws {TypeError} naming the setting, never repeating a secret
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const baseUrl = env['SVC_BASE_URL'] || 'http://127.0.0.1:3000';
  if (!isHttpUrl(baseUrl)) throw new TypeError('SVC_BASE_URL is not an http or https url');
  const rpcUrls = list(env['SVC_RPC_URL']);
  if (!rpcUrls.every(isHttpUrl)) throw new TypeError('SVC_RPC_URL is not an http or https url');
  return {
    baseUrl,
    apiKey: env['SVC_API_KEY'] || undefined,
    keyPair: env['SVC_SECRET_KEY'] ? readKey(env['SVC_SECRET_KEY']) : undefined,
    trust: readTrust(env),
    rpcUrls,
    readOnly: readSwitch(env, 'SVC_READ_ONLY'),
    drand: QUICKNET,
    tsaCertificates: readCertificateFile(env['SVC_TSA_CERTIFICATES']),
  };
}

function readSwitch(env: Readonly<Record<string, string | undefined>>, name: string): boolean {
  const value = env[name] || 'false';
  if (value !== 'true' && value !== 'false') throw new TypeError(`${name} is neither true nor false`);
  return value === 'true';
}

function readCertificateFile(path: string | undefined): string | undefined {
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new TypeError(
      `SVC_TSA_CERTIFICATES: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`,
      { cause: error },
    );
  }
}

const TRUST = ['SVC_CHAIN_ID', 'SVC_ATTESTATION_CONTRACT', 'SVC_SCHEMA_UID', 'SVC_RELAYERS'] as const;

function readTrust(env: Readonly<Record<string, string | undefined>>): Trust | undefined {
  const missing = TRUST.filter((name) => !env[name]);
  if (missing.length === TRUST.length) return undefined;
  if (missing.length > 0)
    throw new TypeError(`${missing.join(', ')}: set all of ${TRUST.join(', ')}, or none of them`);
  try {
    return normalizeTrust({
      chainId: Number(env['SVC_CHAIN_ID']),
      contract: env['SVC_ATTESTATION_CONTRACT']!,
      schemaUid: env['SVC_SCHEMA_UID']!,
      relayers: list(env['SVC_RELAYERS']),
    });
  } catch (error) {
    throw new TypeError(`${TRUST.join(', ')}: ${(error as Error).message}`, { cause: error });
  }
}

function readKey(secretKey: string): KeyPair {
  try {
    return keyPairOf(secretKey.trim());
  } catch {
    throw new TypeError('SVC_SECRET_KEY is not 32 bytes in hex');
  }
}

const list = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
