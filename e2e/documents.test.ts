import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { shellBlocks } from '../docs/test/pages.ts';
import { startAuthority } from '../testing/authority/authority.ts';
import { makeCertificates } from '../testing/authority/certificates.ts';
import { startBeacon } from '../testing/beacon/start-beacon.ts';
import { startChain } from '../testing/chain/anvil.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { newDatabase, startPostgres } from '../testing/database/postgres.ts';
import { startService } from '../testing/system/service-process.ts';
import { newDataDir } from '../testing/database/embedded.ts';

// What the documents tell a newcomer to paste is pasted here, as it stands.
/** The shell blocks of a document that make up one session. */
function session(document: string): string {
  const blocks = shellBlocks(document).filter(({ pasted }) => pasted);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks.map(({ text }) => text).join('\n');
}

async function paste(
  script: string,
  env: Record<string, string>,
): Promise<{ status: number | null; said: string }> {
  const folder = newFolder('session');
  // What a page calls by its place in a clone is there, and nothing is written into ours.
  for (const name of ['node_modules', 'packages', 'svc', 'svc-admin'])
    symlinkSync(new URL(`../${name}`, import.meta.url).pathname, join(folder, name));
  // -e and pipefail: a step that does not show what it says ends the session.
  const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: newFolder('home'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const status = await ended;
  // A session that ended early leaves what it started in the background.
  try {
    process.kill(-child.pid!, 'SIGTERM');
  } catch {
    // nothing was left
  }
  expect(secretsIn(folder), 'files with secrets in the folder that it was pasted in').toEqual([]);
  return { status, said: (await said).join('') };
}

/** Files of a folder, not of what is linked into it, that hold a key. */
function secretsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) =>
      /PRIVATE KEY|svc_sk_|whsec_|secret_key|^[0-9a-f]{64}\s*$/.test(readFileSync(file, 'latin1')),
    );
}

/** A service with all it brings itself. Its database was made before: that the first start makes it is shown elsewhere. */
async function withService(
  settings: Record<string, string>,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const service = await startService({
    PORT: '0',
    DATA_DIR: await newDataDir(),
    DEVNET_PORT: '0',
    ...settings,
  });
  try {
    await work(service.url);
  } finally {
    await service.stop();
  }
}

/** Of a service on the embedded database that the session itself starts. */
async function settingsOfItsOwn(): Promise<Record<string, string>> {
  const port = String(await lastingPort());
  return {
    DATA_DIR: await newDataDir(),
    PORT: port,
    SVC_BASE_URL: `http://127.0.0.1:${port}`,
    ANCHOR_CONFIRMATIONS: '1',
    ANCHOR_INTERVAL_SECONDS: '1',
  };
}

describe.concurrent('what is pasted', () => {
  test("the README's first session works as pasted", () =>
    withService({}, async (BASE) => {
      const { status, said } = await paste(session('README.md'), { BASE });
      expect(status, said).toBe(0);
      expect(said).toContain('svc_sk_');
      expect(said).toContain('"badge":"attested"');
      expect(said).toMatch(/\nWAIT: .* it holds only if [^]*\nPASS: the receipt holds\./);
    }));

  test('the walkthrough works as pasted', () =>
    withService({ MIN_REVEAL_LEAD_SECONDS: '5' }, async (BASE) => {
      const { status, said } = await paste(session('docs/walkthrough.md'), { BASE });
      expect(status, said).toBe(0);
      expect(said).toContain('"badge":"revoked"');
    }));

  test('the quickstart for people works as pasted', () =>
    withService({ MIN_REVEAL_LEAD_SECONDS: '1' }, async (BASE) => {
      const page = session('docs/quickstart-person.md').replace('--sealed-until 6m', '--sealed-until 25s');
      const { status, said } = await paste(page, { BASE });
      expect(status, said).toBe(0);
      expect(said.match(/PASS: the receipt holds/g)).toHaveLength(2);
    }));

  test('the quickstart for operators works as pasted, on a PostgreSQL', async () => {
    const postgres = await startPostgres();
    try {
      const { status, said } = await paste(session('docs/quickstart-operator.md'), {
        DATABASE_URL: await newDatabase(postgres),
        PORT: String(await lastingPort()),
        DEVNET_PORT: '0',
      });
      expect(status, said).toBe(0);
      expect(said).toContain('svc_');
    } finally {
      await postgres.stop();
    }
  });

  test('what the page on verification says by hand comes true', () =>
    withService({}, async (BASE) => {
      const { status, said } = await paste(session('docs/verification.md'), { BASE });
      expect(status, said).toBe(0);
      expect(said).toMatch(/words: pass\nbatch: pass\n(chain: holds .+\n){3}/);
    }));

  test('what two pages say of time stamps, openings and files comes true, by a real authority and a real beacon', async () => {
    const certificates = await makeCertificates();
    const [authority, beacon] = [
      await startAuthority(certificates),
      await startBeacon({ genesis: 1_700_000_000, period: 30 }),
    ];
    const folder = newFolder('witnesses');
    const [pem, chain] = [join(folder, 'authority.pem'), join(folder, 'chain.json')];
    writeFileSync(pem, authority.root);
    writeFileSync(chain, JSON.stringify(beacon.info));
    // The round of 2030 has come.
    await beacon.reach(10_000_000);
    const settings = {
      ...{ TSA_URLS: authority.url, TSA_CERTIFICATES: pem, DRAND_CHAIN: chain },
      ...{ ANCHOR_INTERVAL_SECONDS: '1', ANCHOR_CONFIRMATIONS: '1' },
    };
    const blocksOf = (page: string) =>
      shellBlocks(page).flatMap(({ pasted, text }) => (pasted ? [] : [text]));
    const [stamped] = blocksOf('docs/verification.md');
    const told = (block: string) =>
      block
        .replaceAll('<id>', '"$ID"')
        .replaceAll('0x…', '"$(block_hash)"')
        .replaceAll('svc-files-….json', 'svc-files-*.json')
        .replaceAll('https://api.drand.sh', beacon.url)
        .replaceAll('--blind ', `--blind --chain ${chain} `)
        // Of the service it can be asked in 2030.
        .replace(/^svc open "\$ID" .*$/m, '')
        .replace(/^svc open receipt.json /m, `svc open receipt.json --chain ${chain} `);
    try {
      await withService(settings, async (BASE) => {
        const script = [
          // As it is where it was installed. Each etch is the one that is meant from then on.
          `svc() {
             ./svc "$@" | tee said.txt
             if [ "$1" = etch ]; then ID=$(grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' said.txt | head -1); fi
           }
           block_hash() {
             { ./svc verify evidence.json --json || test $? -eq 2; } |
               node -p 'JSON.parse(require("fs").readFileSync(0)).evidence.blocks.map(({ hash }) => hash).join()'
           }`,
          `mkdir plans; echo plan > plans/plan.txt; echo report > report.pdf; echo prediction > prediction.txt; cp ${pem} authority.pem`,
          './svc register > registered; ./svc trust "$SVC_BASE_URL" > trusted',
          ...blocksOf('docs/which-proof.md').flatMap((block) => ['rm -f svc-files-*', told(block)]),
          // Which block is named depends on what was etched last.
          'svc evidence "$ID" --out evidence.json --timeout 120',
          ...['HASH=$(block_hash)', stamped],
        ].join('\n');
        const { status, said } = await paste(script, { SVC_BASE_URL: BASE });
        expect(status, said).toBe(0);
        expect(said).toContain('It will rain on the first of May.');
        expect(said.match(/PASS {2}The time stamp: stamped/g)).toHaveLength(3);
        expect(said).toContain('Verification: OK');
      });
    } finally {
      await Promise.all([authority.stop(), beacon.stop()]);
    }
  });

  test('the page on events and webhooks works as pasted', () =>
    withService({}, async (BASE) => {
      const signedIn = await fetch(`${BASE}/identity/dev-token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ username: 'ada' }),
      });
      const { access_token } = (await signedIn.json()) as { access_token: string };
      const { status, said } = await paste(session('docs/webhooks.md'), { BASE, API_KEY: access_token });
      expect(status, said).toBe(0);
    }));

  test('the page on audits works as pasted', () =>
    withService({}, async (BASE) => {
      await fetch(`${BASE}/identity/dev-token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ username: 'ada' }),
      })
        .then((answer) => answer.json() as Promise<{ access_token: string }>)
        .then(({ access_token: token }) =>
          fetch(`${BASE}/api/v1/me`, { headers: { authorization: `Bearer ${token}`, connection: 'close' } }),
        );
      const page = session('docs/audit.md').replace('https://rpc.example.org', `${BASE}/rpc`);
      const { status, said } = await paste(page, { SVC_BASE_URL: BASE });
      expect(status, said).toBe(0);
      expect(said.match(/PASS: nothing is left out/g)).toHaveLength(3);
    }));

  test('the steps to a public chain lead to an etch on it', async () => {
    const chain = await startChain();
    try {
      const page = 'docs/public-chain.md';
      const [relayer, settings, schema, first, ...more] = shellBlocks(page).map(({ text }) => text);
      expect(more).toEqual([]);
      const ours = settings!
        .replace(/^CHAIN_ID=.*/m, `CHAIN_ID=${chain.chainId}`)
        .replace(/^CHAIN_RPC_URL=.*/m, `CHAIN_RPC_URL=${chain.rpcUrl}`)
        .replace(/^ATTESTATION_CONTRACT=.*/m, `ATTESTATION_CONTRACT=${chain.contract}`)
        .replace('/run/secrets/relayer.key', '"$PWD/relayer.key"');
      const etched = first!
        .replace('--wait', '--wait --json > etch.json')
        .replace('<id>', `"$(node -p 'JSON.parse(require("fs").readFileSync("etch.json")).etch.id')"`)
        .replace('https://a.node.of.somebody.else', chain.rpcUrl)
        .replace('--chain-id 11155111', `--chain-id ${chain.chainId}`)
        .replace(/--contract \S+/, `--contract ${chain.contract}`)
        .replace('<address>', '"$address"');
      const { status, said } = await paste(
        [
          relayer,
          ...['set -a', ours, 'set +a'],
          './svc-admin chain relayer | tee relayer.txt',
          "address=$(grep -oE '0x[0-9a-f]{40}' relayer.txt | head -1)",
          `curl -s ${chain.rpcUrl} -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"anvil_setBalance","params":["'$address'","0x16345785d8a0000"]}'`,
          schema,
          'node packages/server/bin/serve.mjs > log 2>&1 & service=$!',
          'until curl -sf "$SVC_BASE_URL/readyz" > ready.txt; do kill -0 $service; sleep 0.2; done',
          './svc register > account.txt',
          etched,
          'kill $service; wait $service',
        ].join('\n'),
        await settingsOfItsOwn(),
      );
      expect(status, said).toBe(0);
      expect(said).toContain(chain.schemaUid);
      expect(said).toContain('PASS: the receipt holds');
    } finally {
      await chain.stop();
    }
  });
});
