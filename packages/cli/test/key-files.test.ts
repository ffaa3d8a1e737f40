import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyPairOf } from '@svc/sdk';
import { describe, test } from 'vitest';
import { newFolder } from '../../../testing/machine/folder.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const service = useSharedService();
const folder = newFolder('keys');
const file = (name: string, text: string | Uint8Array = ''): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'] });
const register = (key: string, home = freshHome(), env = {}) =>
  svcHere(['register', '--key', key, '--json'], { home, env: { SVC_BASE_URL: service.url, ...env } });

/** OpenSSH wrote this key, which only this test uses. */
const WRITTEN = `-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
QyNTUxOQAAACBFu0yXLfhchzo74m3fDg8Y1URNZTeRpm5dfI6EbcHBXwAAAJgnKpGXJyqR
lwAAAAtzc2gtZWQyNTUxOQAAACBFu0yXLfhchzo74m3fDg8Y1URNZTeRpm5dfI6EbcHBXw
AAAEACnkuIyl/jD1xa2UcsDjuaUKg9NGyxyacDuGLbSKXlO0W7TJct+FyHOjvibd8ODxjV
RE1lN5Gmbl18joRtwcFfAAAAD2Ega2V5IGZvciB0ZXN0cwECAwQFBg==
-----END OPENSSH PRIVATE KEY-----
`;
const WRITTEN_PUBLIC = 'AAAAC3NzaC1lZDI1NTE5AAAAIEW7TJct+FyHOjvibd8ODxjVRE1lN5Gmbl18joRtwcFf';

/** OpenSSH's PROTOCOL.key. */
function openSsh(seed: Buffer, publicKey: Buffer, { cipher = 'none', type = 'ssh-ed25519' } = {}): string {
  const field = (bytes: Uint8Array | string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, Buffer.from(bytes as string)]);
  };
  const check = Buffer.from('01020304', 'hex');
  const secret = [field(type), field(publicKey), field(Buffer.concat([seed, publicKey])), field('a comment')];
  const inner = Buffer.concat([check, check, ...secret, Buffer.of(1, 2, 3)]);
  const start = [Buffer.from('openssh-key-v1\0'), field(cipher), field('none'), field('')];
  const open = field(Buffer.concat([field(type), field(publicKey)]));
  const all = Buffer.concat([...start, Buffer.of(0, 0, 0, 1), open, field(inner)]).toString('base64');
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${all.replace(/.{70}/g, '$&\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

const seedOf = (pem: string): Buffer => openssl('pkey', '-in', pem, '-outform', 'DER').subarray(-32);
function newPem(name: string): string {
  const path = join(folder, name);
  openssl('genpkey', '-algorithm', 'ed25519', '-out', path);
  return path;
}
const pairIn = (pem: string) => {
  const seed = seedOf(pem);
  const { publicKey } = keyPairOf(seed.toString('hex'));
  return { seed, hex: publicKey, bytes: Buffer.from(publicKey, 'hex') };
};

describe('svc register --key', () => {
  test('accepts hex, PEM and OpenSSH’s format, also with Windows line ends and a byte order mark', async () => {
    const [first, second, third, fourth] = [newPem('a'), newPem('b'), newPem('c'), newPem('d')];
    const [hex, ssh] = [pairIn(second), pairIn(third)];
    const windows = `\uFEFF${readFileSync(fourth, 'utf8').replaceAll('\n', '\r\n')}`;
    for (const [key, publicKey] of [
      [first, pairIn(first).hex],
      [file('key.hex', `${hex.seed.toString('hex')}\n`), hex.hex],
      [file('id_ed25519', openSsh(ssh.seed, ssh.bytes)), ssh.hex],
      [file('windows.pem', windows), pairIn(fourth).hex],
    ] as const) {
      await ends(register(key), 0, { json: { public_key: publicKey } });
    }
  });

  test('names the file and the accepted formats for any other', async () => {
    const pem = newPem('e.pem');
    const { seed, bytes } = pairIn(pem);
    const [rsa, encrypted, open] = [join(folder, 'rsa'), join(folder, 'encrypted'), join(folder, 'public')];
    openssl('genpkey', '-algorithm', 'X25519', '-out', rsa);
    openssl('pkey', '-in', pem, '-aes256', '-passout', 'pass:secret', '-out', encrypted);
    openssl('pkey', '-in', pem, '-pubout', '-out', open);
    const other = Buffer.alloc(32, 7);
    for (const [path, why] of [
      [rsa, 'is a key for x25519'],
      [encrypted, 'is encrypted'],
      [open, 'is a public key'],
      [file('locked', openSsh(seed, bytes, { cipher: 'aes256-ctr' })), 'has a passphrase'],
      [file('ecdsa', openSsh(seed, bytes, { type: 'ecdsa-sha2-nistp256' })), 'is a key for ecdsa'],
      [file('mixed', openSsh(seed, other)), 'is not a valid OpenSSH private key'],
      [file('short', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'), 'is not a valid PEM'],
      [file('words', 'my key'), 'contains no key'],
    ] as const) {
      await ends(register(path), 64, {
        err: [`--key: ${path} ${why}`, 'PEM (PKCS #8)'],
        without: seed.toString('hex'),
        where: why,
      });
    }
  });

  test('reads a key of ssh-keygen', async () => {
    const public_key = Buffer.from(WRITTEN_PUBLIC, 'base64').subarray(-32).toString('hex');
    await ends(register(file('written', WRITTEN)), 0, { json: { public_key } });
  });
});

test('reports an unwritable home with the reason before it calls the service', async () => {
  const key = newPem('home.pem');
  const blocked = join(file('a-file', 'no folder'), 'config');
  const unopened = (name: string) =>
    `${join(blocked, name)} cannot be opened: a part of the path is not a folder`;
  await ends(register(key, freshHome(), { XDG_CONFIG_HOME: blocked }), 64, {
    err: [`${unopened('svc/profiles.json')} (ENOTDIR)`, 'XDG_CONFIG_HOME'],
    without: 'defect',
  });
  // The key is still unused, so it can register elsewhere.
  await ends(register(key), 0);
  await ends(svcHere(['keygen', '--out', join(blocked, 'agent.key')]), 64, { err: unopened('agent.key') });
});
