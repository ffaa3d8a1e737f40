import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureProgram } from '../../scripts/prerequisites/programs.mjs';
import { newFolder } from '../machine/folder.ts';

const call = promisify(execFile);

export interface Certificates {
  folder: string;
  root: string;
}

export interface Wanted {
  /** negative for an expired certificate */
  days?: number;
  by?: Certificates;
  key?: 'ec' | 'rsa';
  between?: boolean;
  names?: 'sha1' | 'sha256';
}

const config = ({ names = 'sha256' }: Wanted): string => `
[req]
distinguished_name = name
[name]
[issuer]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[signer]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[authority]
serial = ./serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.3.6.1.4.1.99999.1
digests = sha256
accuracy = secs:1
clock_precision_digits = 3
tsa_name = yes
ordering = yes
ess_cert_id_alg = ${names}
`;

const KEYS = { ec: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'], rsa: ['rsa:2048'] };

export async function makeCertificates(wanted: Wanted = {}): Promise<Certificates> {
  const folder = newFolder('authority');
  const days = ['-days', String(wanted.days ?? 3650)];
  const openssl = (...args: string[]) => runOpenssl(folder, args);
  writeFileSync(join(folder, 'authority.cnf'), config(wanted));
  writeFileSync(join(folder, 'serial'), '01\n');
  const request = (name: string, file: string, key: 'ec' | 'rsa', ...more: string[]) =>
    openssl(
      'req',
      '-new',
      '-newkey',
      ...KEYS[key],
      '-nodes',
      '-config',
      'authority.cnf',
      '-subj',
      `/O=Tests/CN=${name}`,
      '-keyout',
      `${file}.key`,
      '-out',
      more.length > 0 ? `${file}.pem` : `${file}.csr`,
      ...more,
    );
  const issue = (file: string, by: string, as: string, ...more: string[]) =>
    openssl(
      'x509',
      '-req',
      '-in',
      `${file}.csr`,
      '-CA',
      `${by}.pem`,
      '-CAkey',
      `${by}.key`,
      '-CAcreateserial',
      '-out',
      `${file}.pem`,
      '-extfile',
      'authority.cnf',
      '-extensions',
      as,
      ...more,
    );
  const { by } = wanted;
  if (by === undefined)
    await request('Root of tests', 'root', 'ec', '-x509', '-extensions', 'issuer', '-days', '3650');
  else for (const file of ['root.pem', 'root.key']) copyFileSync(join(by.folder, file), join(folder, file));
  if (wanted.between === true) {
    await request('Between', 'between', wanted.key ?? 'ec');
    await issue('between', 'root', 'issuer', '-days', '3650');
  }
  await request('Time stamps of tests', 'signer', wanted.key ?? 'ec');
  await issue('signer', wanted.between === true ? 'between' : 'root', 'signer', ...days);
  return { folder, root: readFileSync(join(folder, 'root.pem'), 'utf8') };
}

export async function runOpenssl(folder: string, args: string[]): Promise<string> {
  const { stdout } = await call(await ensureProgram('openssl'), args, { cwd: folder });
  return stdout;
}
