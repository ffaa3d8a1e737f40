import { readInput } from './input-file.ts';
import { createPrivateKey } from 'node:crypto';
import { type KeyPair, keyPairOf } from '@svc/sdk';
import { CommandError, reworded, usageError } from './exit.ts';
import { readKeyPair } from './session.ts';

/** Ed25519: 64 hex digits, PEM (PKCS #8) or OpenSSH. An error never contains the key. */
export async function readKeyFile(path: string): Promise<KeyPair> {
  const text = (await readInput(path))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  const [block, label = '', body = ''] =
    /-----BEGIN ([A-Z0-9 ]+)-----([^]*?)-----END \1-----/.exec(text) ?? [];
  if (block === undefined) return readHex(path, text);
  if (label === 'OPENSSH PRIVATE KEY') return readOpenSsh(path, Buffer.from(body, 'base64'));
  if (label === 'ENCRYPTED PRIVATE KEY')
    throw refused(path, 'is encrypted: decrypt a copy with `openssl pkey -in <file> -out <copy>`');
  if (label.includes('PUBLIC')) throw refused(path, 'is a public key: the secret key is needed');
  return readPem(path, block);
}

const readHex = (path: string, text: string): KeyPair =>
  reworded(
    () => readKeyPair(text),
    CommandError,
    () => refused(path, 'contains no key'),
  );

function readPem(path: string, text: string): KeyPair {
  const wrong = () => refused(path, 'is not a valid PEM private key');
  const key = reworded(() => createPrivateKey(text), Error, wrong);
  if (key.asymmetricKeyType !== 'ed25519') throw refused(path, `is a key for ${key.asymmetricKeyType}`);
  return keyPairOf(Buffer.from(key.export({ format: 'jwk' }).d!, 'base64url').toString('hex'));
}

const MAGIC = Buffer.from('openssh-key-v1\0');

/** PROTOCOL.key: cipher, parameters, public keys, then secret keys in one block. */
function readOpenSsh(path: string, bytes: Buffer): KeyPair {
  try {
    if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw new RangeError('no OpenSSH key');
    const outer = fieldsOf(bytes.subarray(MAGIC.length));
    const cipher = outer.text();
    if (cipher !== 'none')
      throw refused(path, 'has a passphrase: remove it from a copy with `ssh-keygen -p -N "" -f <copy>`');
    outer.text();
    outer.text();
    if (outer.number() !== 1) throw refused(path, 'contains more than one key');
    outer.field();
    const inner = fieldsOf(outer.field());
    if (inner.number() !== inner.number()) throw new RangeError('two check numbers differ');
    const type = inner.text();
    if (type !== 'ssh-ed25519') throw refused(path, `is a key for ${type}`);
    const [publicKey, secretKey] = [inner.field(), inner.field()];
    const pair = keyPairOf(secretKey.subarray(0, 32).toString('hex'));
    if (pair.publicKey !== publicKey.toString('hex')) throw new RangeError('a different public key');
    return pair;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw refused(path, 'is not a valid OpenSSH private key');
  }
}

/** Before each field is its length in four bytes. */
function fieldsOf(bytes: Buffer) {
  let at = 0;
  const number = (): number => bytes.readUInt32BE((at += 4) - 4);
  const field = (): Buffer => {
    const length = number();
    if (at + length > bytes.length) throw new RangeError('a field is longer than what is left');
    return bytes.subarray(at, (at += length));
  };
  return { number, field, text: () => field().toString('latin1') };
}

const refused = (path: string, why: string): CommandError =>
  usageError(
    `--key: ${path} ${why}. Give an Ed25519 secret key as 64 hex digits, in PEM (PKCS #8) or in OpenSSH’s format, without a passphrase; \`svc keygen\` makes one`,
  );
