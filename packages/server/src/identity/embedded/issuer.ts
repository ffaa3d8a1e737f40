import { randomUUID } from 'node:crypto';
import { createLocalJWKSet, importJWK, SignJWT } from 'jose';
import type { Db } from '../../db/db.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import type { Claims, Issuer } from '../issuer.ts';
import { screenToken, verifySessionToken } from '../session-token.ts';
import { publicPart, type SigningKey, signingKeys } from './keys.ts';
import { readPerson, type SaidOfPerson } from './person.ts';
import { type EmbeddedPerson, findPerson, savePerson } from './store.ts';

const DEV_TOKEN_SECONDS = 86_400;

export const EMBEDDED_PATH = '/identity';

/** An issuer for trials: people sign in with a name and no password (docs/decisions/0014-embedded-parts.md). */
export interface EmbeddedIssuer extends Issuer {
  readonly url: string;
  readonly audience: string;
  readonly keys: readonly [SigningKey, ...SigningKey[]];
  claimsOf(name: string): Promise<Claims & { sub: string }>;
  enter(said: SaidOfPerson): Promise<EmbeddedPerson>;
  /** An empty handle keeps the stored one. */
  enterByPage(said: {
    username: string;
    socialHandle: string;
    forgetSocial: boolean;
  }): Promise<EmbeddedPerson>;
  devToken(said: SaidOfPerson): Promise<string>;
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
      return verifySessionToken(token, published, rules);
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
    async enter(said) {
      const person = readPerson(said);
      await savePerson(db, person);
      return person;
    },
    async enterByPage({ username, socialHandle, forgetSocial }) {
      if (forgetSocial) return issuer.enter({ username });
      if (socialHandle !== '') return issuer.enter({ username, social_handle: socialHandle });
      const { name } = readPerson({ username });
      return issuer.enter({ ...(await findPerson(db, name)), username });
    },
    async devToken(said) {
      const { name, typed } = await issuer.enter(said);
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
