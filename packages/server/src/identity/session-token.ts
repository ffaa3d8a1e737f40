// Checks a session token (RFC 9068) before anything trusts it.
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { isWellFormedText } from '@svc/protocol';
import { Failure } from '../platform/failure.ts';
import type { VerifiedToken } from './issuer.ts';

/** With a symmetric algorithm, the public key would be enough to sign. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const LEEWAY_SECONDS = 30;

/** OpenID Connect Core 1.0, section 2. */
export const SUBJECT_MAX = 255;

export function isSignedJwt(token: string): boolean {
  try {
    decodeProtectedHeader(token);
    decodeJwt(token);
    return true;
  } catch {
    return false;
  }
}

export function screenToken(token: string, baseUrl: string): { issuer: string } {
  if (!isSignedJwt(token))
    throw refused(
      `it is neither an API key nor a signed JSON Web Token; make an API key at ${baseUrl}/account/keys`,
    );
  const { alg = '', typ = 'JWT' } = decodeProtectedHeader(token);
  const { iss = '' } = decodeJwt(token);
  if (!ALGORITHMS.includes(alg)) throw refused('its signature algorithm is not accepted');
  if (!/^(application\/)?(at\+)?jwt$/i.test(typ)) throw refused('it is not an access token');
  return { issuer: iss };
}

/** Follows RFC 9068 and OpenID Connect Core. */
export async function verifySessionToken(
  token: string,
  keys: JWTVerifyGetKey,
  rules: { issuer: string; audience: string; clients: readonly string[] },
): Promise<VerifiedToken> {
  const claims = await verifyJwt(token, keys, {
    algorithms: ALGORITHMS,
    issuer: rules.issuer,
    audience: rules.audience,
    clockTolerance: LEEWAY_SECONDS,
    requiredClaims: ['sub', 'exp'],
  }).catch((error: unknown) => {
    throw reasonOf(error);
  });
  if (typeof claims.sub !== 'string' || claims.sub === '' || claims.sub.length > SUBJECT_MAX) {
    throw refused('its subject is missing or too long');
  }
  // The database cannot store such text.
  if (!isWellFormedText(claims.sub)) throw refused('its subject is not text');
  if (isIdToken(decodeProtectedHeader(token).typ, claims, rules.clients))
    throw refused('it is an ID token: send the access token');
  return { subject: claims.sub, claims };
}

/**
 * An ID token is meant for the client. Its hashes, `typ`, `nonce` or a client as audience show it; a sign of an access
 * token outweighs the last two.
 */
function isIdToken(type: string | undefined, claims: JWTPayload, clients: readonly string[]): boolean {
  if (['at_hash', 'c_hash', 's_hash'].some((name) => name in claims) || claims['typ'] === 'ID') return true;
  const isForApi = ['scope', 'scp', 'client_id'].some((name) => name in claims) || claims['typ'] === 'Bearer';
  if (isForApi || /at\+jwt$/i.test(type ?? '')) return false;
  return 'nonce' in claims || [claims.aud].flat().some((name) => clients.includes(name ?? ''));
}

async function verifyJwt(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions) {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (failed) {
        if (!(failed instanceof errors.JWSSignatureVerificationFailed)) throw failed;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function reasonOf(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return refused('it has expired');
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'nbf') return refused('it is not valid yet');
    if (error.claim === 'aud') return refused('it is meant for a different audience');
    if (error.claim === 'iss') return refused('a different issuer made it');
    return refused(`its claim \`${error.claim}\` is missing or wrong`);
  }
  // jose reports short keys and wrong algorithms this way.
  if (error instanceof errors.JOSEError || error instanceof TypeError)
    return refused('its signature does not verify');
  return error;
}

export const refused = (why: string): Failure =>
  new Failure('unauthorized', `this session token is not accepted: ${why}`);
