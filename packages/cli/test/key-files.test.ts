import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyPairOf } from '@svc/sdk';
import { describe, expect, test } from 'vitest';
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
  const head = [
    Buffer.from('openssh-key-v1\0'),
    field(cipher),
    field('none'),
    field(''),
    Buffer.of(0, 0, 0, 1),
  ];
  const all = Buffer.concat([
    ...head,
    field(Buffer.concat([field(type), field(publicKey)])),
    field(inner),
  ]).toString('base64');
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
    const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map((name) => newPem(`${name}.pem`)) as [
      string,
      string,
      string,
      string,
    ];
    const [hex, ssh] = [pairIn(second), pairIn(third)];
    const windows = `\uFEFF${readFileSync(fourth, 'utf8').replaceAll('\n', '\r\n')}`;
    for (const [key, publicKey] of [
      [first, pairIn(first).hex],
      [file('key.hex', `${hex.seed.toString('hex')}\n`), hex.hex],
      [file('id_ed25519', openSsh(ssh.seed, ssh.bytes)), ssh.hex],
      [file('windows.pem', windows), pairIn(fourth).hex],
    ] as const) {
      const { out } = await ends(register(key), 0);
      expect(JSON.parse(out).public_key).toBe(publicKey);
    }
  });

  test('names the file and the accepted formats for any other', async () => {
    const pem = newPem('e.pem');
    const { seed, bytes } = pairIn(pem);
    const [rsa, encrypted, open] = ['rsa.pem', 'encrypted.pem', 'public.pem'].map((name) =>
      join(folder, name),
    );
    openssl('genpkey', '-algorithm', 'X25519', '-out', rsa!);
    openssl('pkey', '-in', pem, '-aes256', '-passout', 'pass:secret', '-out', encrypted!);
    openssl('pkey', '-in', pem, '-pubout', '-out', open!);
    const other = Buffer.alloc(32, 7);
    for (const [path, why] of [
      [rsa!, 'is a key for x25519'],
      [encrypted!, 'is encrypted'],
      [open!, 'is a public key'],
      [file('locked', openSsh(seed, bytes, { cipher: 'aes256-ctr' })), 'has a passphrase'],
      [file('ecdsa', openSsh(seed, bytes, { type: 'ecdsa-sha2-nistp256' })), 'is a key for ecdsa'],
      [file('mixed', openSsh(seed, other)), 'is not a valid OpenSSH private key'],
      [file('short', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'), 'is not a valid PEM'],
      [file('words', 'my key'), 'contains no key'],
    ] as const) {
      const { status, out, err } = await register(path);
      expect([status, why]).toEqual([64, why]);
      expect(err).toContain(`--key: ${path} ${why}`);
      expect(err).toContain('PEM (PKCS #8)');
      expect(out + err).not.toContain(seed.toString('hex'));
    }
  });

  test('reads a key of ssh-keygen', async () => {
    const { out } = await ends(register(file('written', WRITTEN)), 0);
    const publicKey = Buffer.from(WRITTEN_PUBLIC, 'base64').subarray(-32).toString('hex');
    expect(JSON.parse(out).public_key).toBe(publicKey);
  });
});

test('reports an unwritable home with the reason before it calls the service', async () => {
  const key = newPem('home.pem');
  const blocked = join(file('a-file', 'no folder'), 'config');
  const { err } = await ends(register(key, freshHome(), { XDG_CONFIG_HOME: blocked }), 64);
  expect(err).toContain(
    `${join(blocked, 'svc', 'profiles.json')} cannot be opened: a part of the path is not a folder (ENOTDIR)`,
  );
  expect(err).toContain('XDG_CONFIG_HOME');
  expect(err).not.toContain('defect');
  // The key is still unused, so it can register elsewhere.
  expect((await register(key)).status).toBe(0);

  const saved = await ends(svcHere(['keygen', '--out', join(blocked, 'agent.key')]), 64);
  expect(saved.err).toContain(
    `${join(blocked, 'agent.key')} cannot be opened: a part of the path is not a folder`,
  );
});
