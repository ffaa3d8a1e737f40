import { readFileSync } from 'node:fs';
import { type DrandChain, QUICKNET } from '@svc/protocol/timelock';
import { type KeyPair, keyPairOf, type Trust } from '@svc/sdk';
import { normalizeTrust } from '@svc/verifier';
import { orBadInput } from './bad-input.ts';
import type { Keeper } from './profile.ts';

/** An agent cannot change these. */
export interface Settings {
  baseUrl: string;
  apiKey: string | undefined;
  /** signs etches */
  keyPair: KeyPair | undefined;
  /** for `verify`; undefined: those that the service publishes */
  trust: Trust | undefined;
  /** without them the signer of a promise is not verified */
  promiseKeys?: readonly string[] | undefined;
  /** for `verify`; empty: the service's */
  rpcUrls: readonly string[];
  /** of time-stamping authorities, in PEM */
  tsaCertificates?: string | undefined;
  /** undefined: blind seals are not recognized */
  drand: DrandChain | undefined;
  /** for the service and the chain */
  fetch?: typeof globalThis.fetch | undefined;
  /** undefined: the connection cannot register an account */
  keeper?: Keeper | undefined;
  readOnly?: boolean | undefined;
  /** undefined: all */
  toolsets?: readonly Toolset[] | undefined;
  /** over HTTP: each request is a connection without state */
  perRequest?: boolean | undefined;
}

/**
 * Needs all four or none of `SVC_CHAIN_ID`, `SVC_ATTESTATION_CONTRACT`, `SVC_SCHEMA_UID` and `SVC_RELAYERS`.
 * Lists are comma-separated.
 * @throws {TypeError} naming the setting, without a secret
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
    readOnly: readSwitch(env['SVC_READ_ONLY'] || undefined),
    drand: QUICKNET,
    tsaCertificates: readCertificateFile(env['SVC_TSA_CERTIFICATES']),
  };
}

function readSwitch(value = 'false'): boolean {
  if (value !== 'true' && value !== 'false') throw new TypeError('SVC_READ_ONLY is neither true nor false');
  return value === 'true';
}

function readCertificateFile(path: string | undefined): string | undefined {
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new TypeError(`SVC_TSA_CERTIFICATES: ${path} cannot be read (${code})`, { cause });
  }
}

const TRUST = ['SVC_CHAIN_ID', 'SVC_ATTESTATION_CONTRACT', 'SVC_SCHEMA_UID', 'SVC_RELAYERS'] as const;

function readTrust(env: Readonly<Record<string, string | undefined>>): Trust | undefined {
  const missing = TRUST.filter((name) => !env[name]);
  if (missing.length === TRUST.length) return undefined;
  if (missing.length > 0)
    throw new TypeError(`${missing.join(', ')}: set all of ${TRUST.join(', ')}, or none of them`);
  const given: Trust = {
    chainId: Number(env['SVC_CHAIN_ID']),
    contract: env['SVC_ATTESTATION_CONTRACT']!,
    schemaUid: env['SVC_SCHEMA_UID']!,
    relayers: list(env['SVC_RELAYERS']),
  };
  return orBadInput(() => normalizeTrust(given), Error, TRUST.join(', '));
}

function readKey(secretKey: string): KeyPair {
  try {
    return keyPairOf(secretKey.trim());
  } catch {
    throw new TypeError('SVC_SECRET_KEY is not 32 bytes in hex (64 digits)');
  }
}

const list = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** A model then loads fewer tools. */
export const TOOLSETS = ['read', 'verify', 'write', 'forecast'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** @throws {TypeError} for an unknown name */
export function readToolsets(text: string | undefined): readonly Toolset[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',');
  if (!names.every((name) => (TOOLSETS as readonly string[]).includes(name)))
    throw new TypeError(`toolsets: choose from ${TOOLSETS.join(', ')}, comma-separated`);
  return TOOLSETS.filter((name) => names.includes(name));
}
