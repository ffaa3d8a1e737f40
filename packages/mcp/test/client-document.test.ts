// A program whose id is the address of its metadata document (CIMD): a real https server, whose certificate a local authority issued.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOpenssl } from '../../../testing/authority/certificates.ts';
import { signInByForm } from '../../../testing/clients/reader.ts';
import { newDataDir } from '../../../testing/database/embedded.ts';
import { newFolder } from '../../../testing/machine/folder.ts';
import type { ServiceProcess } from '../../../testing/system/service-process.ts';
import { startForTests } from '../../../testing/system/start-for-tests.ts';
import { newSigningProgram } from './support/signing-program.ts';

const REDIRECT = 'http://127.0.0.1:9/callback';
const KNOWN = 'agents.example.org';
const UNKNOWN = 'others.example.org';

const CONFIG = `
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical,CA:TRUE
[server]
basicConstraints = critical,CA:FALSE
subjectAltName = DNS:${KNOWN},DNS:${UNKNOWN}
`;

/** An authority, and a certificate by it for both hosts. */
async function makeSite() {
  const folder = newFolder('tls');
  writeFileSync(join(folder, 'openssl.cnf'), CONFIG);
  const make = (name: string, extensions: string, ...by: string[]) => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
    const of = ['-config', 'openssl.cnf', '-extensions', extensions, '-subj', `/CN=${name}`, '-days', '30'];
    return runOpenssl(folder, ['req', '-x509', ...key, ...of, ...by, '-out', `${name}.pem`]);
  };
  await make('ca', 'authority');
  await make('site', 'server', '-CA', 'ca.pem', '-CAkey', 'ca.key');
  const read = (file: string) => readFileSync(join(folder, file));
  return { authority: join(folder, 'ca.pem'), cert: read('site.pem'), key: read('site.key') };
}

let service: ServiceProcess;
const servers: Server[] = [];
const asked: string[] = [];
beforeAll(async () => {
  const [known, unknown] = [await makeSite(), await makeSite()];
  const listen = async (host: string, { cert, key }: { cert: Buffer; key: Buffer }): Promise<string> => {
    const server = createServer({ cert, key }, (request, response) => {
      const client_id = `https://${host}${request.url}`;
      asked.push(client_id);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ client_id, client_name: 'Almagest', redirect_uris: [REDIRECT] }));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `${host}=127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  service = await startForTests(await newDataDir(), {
    NODE_EXTRA_CA_CERTS: known.authority,
    DOMAIN_CHECK_TEST_HOSTS: [await listen(KNOWN, known), await listen(UNKNOWN, unknown)].join(),
  });
});
afterAll(async () => {
  await service.stop();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const programAt = (host: string) =>
  newSigningProgram(service.url, [REDIRECT], { documentUrl: `https://${host}/client.json` });

test('the official client signs a person in with the address of its document as its id', async () => {
  const { kept, connect } = programAt(KNOWN);
  const { client, transport, call } = await connect();
  try {
    await expect(call('whoami')).rejects.toThrow('Unauthorized');
    expect(kept.page!.searchParams.get('client_id')).toBe(`https://${KNOWN}/client.json`);
    const back = new URL(await signInByForm(service.url, kept.page!.href, 'Hypatia'));
    await transport.finishAuth(back.searchParams.get('code')!);
    expect(kept.tokens!.refresh_token).toEqual(expect.any(String));
    expect(await call('whoami')).toMatchObject({ account: { untrusted: { username: 'hypatia' } } });
    expect(asked).toEqual([`https://${KNOWN}/client.json`]);
  } finally {
    await client.close();
  }
});

test('a document under a certificate of an unknown authority is not read', async () => {
  const { kept, connect } = programAt(UNKNOWN);
  const { client, call } = await connect();
  try {
    await expect(call('whoami')).rejects.toThrow('Unauthorized');
    expect((await fetch(kept.page!, { redirect: 'manual' })).status).toBe(400);
    expect(asked.filter((url) => url.includes(UNKNOWN))).toEqual([]);
  } finally {
    await client.close();
  }
});
