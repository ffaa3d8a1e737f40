import { createECDH, createHash, randomUUID } from 'node:crypto';
import { createLocalJWKSet, importJWK, type JWK, SignJWT } from 'jose';
import { parseDateTime } from '@svc/contract';
import { escapeInvisibleInLine } from '@svc/protocol';
import type { Db } from '../../db/db.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { type Claims, type Issuer, storableTime } from '../issuer.ts';
import { refused, screenToken, verifySessionToken } from '../session-token.ts';
import { grantHash } from './adapters.ts';
import { hasGrant } from './grant-store.ts';
import { type EmbeddedPerson, findPerson, savePerson } from './store.ts';
import { badField } from '../../platform/failure.ts';

const DEV_TOKEN_SECONDS = 86_400;
/** The sign-in of a program lasts as long as one of the pages. */
export const SIGN_IN_DAYS = 14;

export const EMBEDDED_PATH = '/identity';

/** An issuer for trials: people sign in with a name and no password (docs/decisions/0014-embedded-parts.md). */
export interface EmbeddedIssuer extends Issuer {
  readonly url: string;
  readonly audience: string;
  readonly keys: readonly [SigningKey, ...SigningKey[]];
  claimsOf(name: string): Promise<Claims & { sub: string }>;
  enter(claims: PersonClaims): Promise<EmbeddedPerson>;
  /** An empty handle keeps the stored one. */
  enterByPage(claims: {
    username: string;
    socialHandle: string;
    forgetSocial: boolean;
  }): Promise<EmbeddedPerson>;
  devToken(claims: PersonClaims): Promise<string>;
}

export function createEmbeddedIssuer(options: {
  baseUrl: string;
  audience: string;
  db: Db;
  keyring: Keyring;
}): EmbeddedIssuer {
  const { baseUrl, audience, db, keyring } = options;
  const url = baseUrl + EMBEDDED_PATH;
  const keys = signingKeys(keyring);
  const [current] = keys;
  const published = createLocalJWKSet({ keys: keys.map(publicPart) });
  const rules = { issuer: url, audience, clients: [] };

  const issuer: EmbeddedIssuer = {
    // Accounts must survive a change of the port.
    key: 'embedded',
    name: async () => 'embedded',
    url,
    audience,
    keys,
    async verify(token) {
      screenToken(token, baseUrl);
      const session = await verifySessionToken(token, published, rules);
      const { grant_id: grant } = session.claims;
      if (typeof grant === 'string' && !(await hasGrant(db, grantHash(grant))))
        throw refused('its sign-in is over: sign in again');
      return session;
    },
    async userinfo(token) {
      return issuer.claimsOf((await issuer.verify(token)).subject);
    },
    async claimsOf(name) {
      const { typed, social_handle: handle, social_verified_at: at } = (await findPerson(db, name)) ?? {};
      return {
        sub: name,
        preferred_username: typed ?? name,
        ...(handle != null && { social_handle: handle, ...(at != null && { social_verified_at: at }) }),
      };
    },
    async enter(claims) {
      const person = readPerson(claims);
      await savePerson(db, person);
      return person;
    },
    async enterByPage({ username, socialHandle, forgetSocial }) {
      if (forgetSocial) return issuer.enter({ username });
      if (socialHandle !== '') return issuer.enter({ username, social_handle: socialHandle });
      const { name } = readPerson({ username });
      return issuer.enter({ ...(await findPerson(db, name)), username });
    },
    async devToken(claims) {
      const { name, typed } = await issuer.enter(claims);
      return new SignJWT({ preferred_username: typed, client_id: 'dev-token' })
        .setProtectedHeader({ alg: current.alg, kid: current.kid, typ: 'at+jwt' })
        .setIssuer(url)
        .setAudience(audience)
        .setSubject(name)
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime(`${DEV_TOKEN_SECONDS} s`)
        .sign(await importJWK(current, current.alg));
    },
  };
  return issuer;
}

const NAME_MAX = 64;
const HANDLE_MAX = 64;

interface PersonClaims {
  username?: unknown;
  social_handle?: unknown;
  social_verified_at?: unknown;
}

/** Letter case does not distinguish names. */
function readPerson(claims: PersonClaims): EmbeddedPerson {
  const handle = claims.social_handle ?? null;
  const verifiedAt = claims.social_verified_at ?? null;
  if (verifiedAt !== null && handle === null)
    throw badField('social_verified_at', 'requires `social_handle`');
  const typed = readText('username', claims.username, NAME_MAX);
  return {
    name: typed.toLowerCase(),
    typed,
    social_handle: handle === null ? null : readText('social_handle', handle, HANDLE_MAX),
    social_verified_at: verifiedAt === null ? null : readTime(verifiedAt),
  };
}

function readText(field: string, value: unknown, most: number): string {
  const text = typeof value === 'string' ? value.normalize('NFC').trim() : '';
  if (text === '' || [...text].length > most || escapeInvisibleInLine(text) !== text)
    throw badField(field, `must be text of 1 to ${most} characters`);
  return text;
}

function readTime(value: unknown): string {
  const read = typeof value === 'string' ? parseDateTime(value) : null;
  const time = read === null ? undefined : storableTime(Date.parse(read));
  if (time === undefined)
    throw badField('social_verified_at', 'must be an RFC 3339 time with an offset or Z, from the year 1 on');
  return time;
}

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

interface SigningKey extends JWK {
  kty: 'EC';
  kid: string;
  alg: 'ES256';
  d: string;
}

/** Derived keys let tokens survive a restart and work on every replica. The first key signs. */
const signingKeys = (keyring: Keyring): [SigningKey, ...SigningKey[]] =>
  keyring.secrets('issuer-keys').map(toSigningKey) as [SigningKey, ...SigningKey[]];

const publicPart = ({ d: _, ...key }: SigningKey): JWK => key;

function toSigningKey(secret: Buffer): SigningKey {
  const scalar = (BigInt(`0x${secret.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  return {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
    d: d.toString('base64url'),
    kid: createHash('sha256').update(point).digest('base64url').slice(0, 16),
    alg: 'ES256',
    use: 'sig',
  };
}

export const WEB_CLIENT = {
  id: 'web',
  callbackPath: '/sign-in/callback',
  scopes: 'openid profile social',
} as const;
export const NATIVE_CLIENT = { id: 'native', callbackPath: '/callback' } as const;
export const CLI_CLIENT = {
  id: 'svc-cli',
  callbackPath: '/callback',
  scopes: 'openid profile social',
} as const;
