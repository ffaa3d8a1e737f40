import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startServer } from '../machine/server.ts';
import { type Certificates, runOpenssl } from './certificates.ts';

export type Fault = (question: Buffer) => Buffer | 'down' | 'slow' | 'nonsense' | undefined;

export interface Authority {
  url: string;
  root: string;
  fault: Fault | undefined;
  certificates: Certificates;
  stop(): Promise<void>;
}

export async function startAuthority(certificates: Certificates): Promise<Authority> {
  const server = await startServer((request, response) => {
    void (async () => {
      const question = await buffer(request);
      const signed = authority.fault?.(question) ?? question;
      if (signed === 'slow') return;
      if (signed === 'down') response.writeHead(503).end('<html>Service unavailable</html>');
      else {
        const answer =
          signed === 'nonsense'
            ? Buffer.from('3003020100', 'hex')
            : await sign(authority.certificates, signed);
        response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(answer);
      }
    })().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const authority: Authority = {
    url: server.url,
    root: certificates.root,
    certificates,
    fault: undefined,
    stop: server.stop,
  };
  return authority;
}

async function sign({ folder }: Certificates, question: Buffer): Promise<Buffer> {
  const name = join(folder, randomUUID());
  writeFileSync(`${name}.tsq`, question);
  const between = existsSync(join(folder, 'between.pem')) ? ['-chain', 'between.pem'] : [];
  await runOpenssl(folder, [
    'ts',
    '-reply',
    '-config',
    'authority.cnf',
    '-section',
    'authority',
    '-queryfile',
    `${name}.tsq`,
    '-signer',
    'signer.pem',
    '-inkey',
    'signer.key',
    ...between,
    '-out',
    `${name}.tsr`,
  ]);
  return readFileSync(`${name}.tsr`);
}

export const ofAnotherHash: Fault = (question) =>
  changed(question, question.indexOf(Buffer.from([4, 32])) + 10);
/** The nonce is nine bytes before the certificate flag. */
export const withAnotherNonce: Fault = (question) => changed(question, question.length - 5);

function changed(question: Buffer, at: number): Buffer {
  const other = Buffer.from(question);
  other[at]! ^= 1;
  return other;
}

export async function opensslAccepts(
  certificates: Certificates,
  { data, token }: { data: Buffer; token: Buffer },
): Promise<boolean> {
  const { folder } = certificates;
  writeFileSync(join(folder, 'data'), data);
  writeFileSync(join(folder, 'token'), token);
  const args = ['ts', '-verify', '-data', 'data', '-in', 'token', '-token_in', '-CAfile', 'root.pem'];
  return runOpenssl(folder, args).then(
    (said) => said.includes('Verification: OK'),
    () => false,
  );
}
