import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { drawRandom } from './random.ts';

/** A key of one purpose cannot decrypt the data of a different one. */
type Purpose =
  | 'seal'
  | 'fingerprint'
  | 'cursor'
  | 'check'
  | 'promise'
  | 'tree-log'
  | 'webhook'
  | 'issuer-keys'
  | 'issuer-cookies'
  | 'issuer-client'
  | 'issuer-grant'
  | 'web-session'
  | 'sign-in';

/** Derived from SECRET_KEYS by purpose (HKDF-SHA-256). The first key encrypts, every key decrypts. */
export interface Keyring {
  /**
   * AES-256-GCM, bound to `bound`. Each `era` has its own key, because one may encrypt about 2^32 texts (NIST SP
   * 800-38D, 8.3).
   */
  close(purpose: Purpose, plain: Uint8Array, bound: string, era?: number): Buffer;
  /** The nonce is an HMAC of the text, so equal texts give equal bytes. */
  closeSame(purpose: Purpose, plain: Uint8Array, bound: string, era: number): Buffer;
  open(purpose: Purpose, closed: Uint8Array, bound: string, era?: number): Buffer;
  mac(purpose: Purpose, data: string): Buffer;
  macs(purpose: Purpose, data: string): Buffer[];
  verifyMac(purpose: Purpose, data: string, tag: Uint8Array): boolean;
  secrets(purpose: Purpose): Buffer[];
  /** Per key, an id that does not reveal it and a value that only it produces. */
  checks(): { id: string; value: Buffer }[];
}

export class SealBroken extends Error {
  override name = 'SealBroken';
}

const NONCE = 12;
const TAG = 16;
const ERAS_KEPT = 32;

export function createKeyring(keys: readonly Uint8Array[]): Keyring {
  if (keys.length === 0) throw new TypeError('a keyring requires at least one key');
  const deriveKey = (index: number, purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', keys[index]!, '', `svc:${purpose}:v1`, 32));
  const derived = new Map<string, Buffer>();
  const ofEras = new Map<string, Buffer>();
  const derive = (index: number, purpose: Purpose | `${Purpose}-nonce`, era?: number): Buffer => {
    const [known, use] = era === undefined ? [derived, purpose] : [ofEras, `${purpose}:${era}`];
    const name = `${index}:${use}`;
    let key = known.get(name);
    if (!key) known.set(name, (key = deriveKey(index, use)));
    if (ofEras.size > ERAS_KEPT) ofEras.delete(ofEras.keys().next().value!);
    return key;
  };
  const macWith = (index: number, purpose: Purpose, data: string): Buffer =>
    createHmac('sha256', derive(index, purpose)).update(data).digest();

  const verifyMac = (purpose: Purpose, data: string, tag: Uint8Array): boolean =>
    keys.some((_, index) => {
      const expected = macWith(index, purpose, data);
      return expected.length === tag.length && timingSafeEqual(expected, tag);
    });

  const closeWith = (nonce: Uint8Array, key: Buffer, plain: Uint8Array, bound: string): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };

  return {
    close: (purpose, plain, bound, era) =>
      closeWith(drawRandom(NONCE), derive(0, purpose, era), plain, bound),
    closeSame(purpose, plain, bound, era) {
      const of = createHmac('sha256', derive(0, `${purpose}-nonce`));
      const nonce = of
        .update(JSON.stringify([era, bound]))
        .update(plain)
        .digest()
        .subarray(0, NONCE);
      return closeWith(nonce, derive(0, purpose, era), plain, bound);
    },
    open(purpose, closed, bound, era) {
      const bytes = Buffer.from(closed.buffer, closed.byteOffset, closed.byteLength);
      if (bytes.length < NONCE + TAG) throw new SealBroken('too short to be sealed');
      for (let index = 0; index < keys.length; index++) {
        try {
          const decipher = createDecipheriv(
            'aes-256-gcm',
            derive(index, purpose, era),
            bytes.subarray(0, NONCE),
            {
              authTagLength: TAG,
            },
          )
            .setAAD(Buffer.from(bound))
            .setAuthTag(bytes.subarray(-TAG));
          return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]);
        } catch {
          // not this key
        }
      }
      throw new SealBroken('no key of SECRET_KEYS decrypts it');
    },
    mac: (purpose, data) => macWith(0, purpose, data),
    macs: (purpose, data) => keys.map((_, index) => macWith(index, purpose, data)),
    verifyMac,
    secrets: (purpose) => keys.map((_, index) => derive(index, purpose)),
    checks: () =>
      keys.map((_, index) => {
        const value = macWith(index, 'check', 'value');
        return { id: macWith(index, 'check', 'id').toString('hex').slice(0, 16), value };
      }),
  };
}
