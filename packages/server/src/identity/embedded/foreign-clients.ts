// Programs of other vendors that register themselves at the embedded issuer, such as MCP clients.
import { escapeInvisibleInLine } from '@svc/protocol';
import type { ClientMetadata } from 'oidc-provider';
import {
  type GuardedOptions,
  guardedRequest,
  GuardRefused,
  readDomain,
} from '../../platform/outgoing/guarded-request.ts';
import { asObject } from '../../platform/outgoing/bounded-fetch.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';

/** A program of a different vendor, for example an MCP client. */
export interface ForeignClient {
  /** the program's own claim */
  client_name?: string;
  redirect_uris: string[];
}

/** @param code error of RFC 7591, 3.2.2 */
export class ClientRefused extends Error {
  override name = 'ClientRefused';
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata';
  constructor(code: ClientRefused['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const MOST_URIS = 5;
const LONGEST_URI = 256;
const LONGEST_NAME = 64;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
/** Schemes that a browser or an operating system handles itself. No program can own them. */
const TAKEN_SCHEMES = new Set(
  `about blob chrome content data facetime file filesystem ftp ftps geo intent javascript jar ldap mailto
  market ms-settings news nntp resource sftp shell sms smsto ssh tel telnet vbscript view-source ws wss`.split(
    /\s+/,
  ),
);

export function readClient(metadata: unknown): ForeignClient {
  const { client_name: name, redirect_uris: given } = asObject(metadata) ?? {};
  const uris: unknown[] = Array.isArray(given) ? given : [];
  if (uris.length === 0 || uris.length > MOST_URIS)
    throw new ClientRefused('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${MOST_URIS} URLs`);
  if (!uris.every(isRedirectUri))
    throw new ClientRefused(
      'invalid_redirect_uri',
      `redirect_uris[${uris.findIndex((uri) => !isRedirectUri(uri))}] must be a URL of at most ${LONGEST_URI} characters, without credentials and fragment: https, http on 127.0.0.1, [::1] or localhost, or the program's own scheme with a path (com.example.app:/callback)`,
    );
  if (name === undefined) return { redirect_uris: uris };
  if (typeof name !== 'string' || [...name].length > LONGEST_NAME || escapeInvisibleInLine(name) !== name)
    throw new ClientRefused(
      'invalid_client_metadata',
      `client_name must be one line of at most ${LONGEST_NAME} characters`,
    );
  return { client_name: name, redirect_uris: uris };
}

function isRedirectUri(uri: unknown): uri is string {
  if (typeof uri !== 'string' || uri.length > LONGEST_URI || !/^[\x21-\x7e]+$/.test(uri)) return false;
  if (!URL.canParse(uri) || uri.includes('#')) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username + password !== '') return false;
  if (protocol === 'http:') return LOOPBACK.includes(hostname);
  if (protocol === 'https:') return !LOOPBACK.includes(hostname);
  return /^[a-z][a-z0-9+.-]*:\//.test(uri) && !TAKEN_SCHEMES.has(protocol.slice(0, -1));
}

/** Where the code goes: an origin, or the whole private-use address (RFC 8252, 7.1). */
export const returnAddress = (uri: string): string => (/^https?:/.test(uri) ? new URL(uri).origin : uri);

/** For `form-action`: a private-use scheme has no origin. */
export const returnSource = (uri: string): string =>
  /^https?:/.test(uri) ? new URL(uri).origin : new URL(uri).protocol;

export const PROGRAM_GRANTS = ['authorization_code', 'refresh_token'];

export const publicClient = (client: ForeignClient) => ({
  ...client,
  grant_types: PROGRAM_GRANTS,
  response_types: ['code' as const],
  token_endpoint_auth_method: 'none' as const,
  // Native programs may use any port of this machine (RFC 8252, 7.3).
  application_type: 'native' as const,
});

export interface ClientIds {
  issue(client: ForeignClient): string;
  read(id: string): ForeignClient | undefined;
}

/** The id contains the registration and its MAC, so that registrations need no table and survive a restart. */
export function clientIds(keyring: Keyring): ClientIds {
  return {
    issue(client) {
      const payload = Buffer.from(JSON.stringify(client)).toString('base64url');
      return `${payload}.${keyring.mac('issuer-client', payload).toString('base64url')}`;
    },
    read(id) {
      const [payload = '', tag = '', ...rest] = id.split('.');
      if (rest.length > 0 || !keyring.verifyMac('issuer-client', payload, Buffer.from(tag, 'base64url')))
        return undefined;
      return JSON.parse(Buffer.from(payload, 'base64url').toString()) as ForeignClient;
    },
  };
}

export function registeredClient(ids: ClientIds, id: string): ClientMetadata | undefined {
  const client = ids.read(id);
  return client && { client_id: id, ...publicClient(client) };
}

/**
 * Reads a client ID metadata document (draft-ietf-oauth-client-id-metadata-document). If this throws, oidc-provider
 * rejects the client.
 */
export async function fetchClientDocument(url: string | URL, guard: GuardedOptions): Promise<Response> {
  const { hostname, port, pathname, search } = new URL(url);
  if (port !== '') throw new GuardRefused('has a port');
  const { status, headers, text } = await guardedRequest(
    {
      method: 'GET',
      host: readDomain(hostname),
      path: pathname + search,
      headers: { accept: 'application/json' },
      wantsText: (code) => code === 200,
    },
    guard,
  );
  if (status !== 200) return new Response(null, { status });
  const metadata: unknown = JSON.parse(text);
  return Response.json(
    { client_id: asObject(metadata)?.['client_id'], ...publicClient(readClient(metadata)) },
    { headers: { 'cache-control': headers['cache-control'] ?? '' } },
  );
}
