import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Json } from '../json.ts';
import { shellBlocks } from '../repository.ts';
import { startAuthority } from '../authority/authority.ts';
import { makeCertificates } from '../authority/certificates.ts';
import { startBeacon } from '../beacon/start-beacon.ts';
import { newFolder } from '../machine/folder.ts';
import { paste, type Reader, session, sessionBlocks, sharedService, withService } from './paste.ts';

async function tokenOf(url: string, username: string): Promise<string> {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const sent = { method: 'POST', headers, body: JSON.stringify({ username }) };
  const { access_token }: Json = await (await fetch(`${url}/identity/dev-token`, sent)).json();
  return access_token;
}

export const AT_A_SERVICE: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {
  "the README's first session works as pasted": async (reader) => {
    const BASE = await sharedService(reader);
    // The last block needs a stopped service.
    const running = sessionBlocks('README.md').slice(0, -1).join('\n');
    const { status, said } = await paste(running, { BASE }, reader);
    expect(status, said).toBe(0);
    expect(said).toMatch(
      /^Registered agent_[^]*\nPASS {2}The chain: attested\n[^]*\nPASS: the receipt holds\./,
    );
  },

  'the quickstart works as pasted, and leaves no file in the clone': async (reader) => {
    const BASE = await sharedService(reader);
    const page = session('docs/quickstart.md').replace('--sealed-until 6m', '--sealed-until 25s');
    const script = ['BEFORE=$(ls -A)', page, 'test "$BEFORE" = "$(ls -A)"'].join('\n');
    const { status, said } = await paste(script, { BASE }, reader);
    expect(status, said).toBe(0);
    expect(said).toContain('PASS: the receipt holds');
    expect(said).toContain('PASS  The chain: revoked');
    expect(said).toContain('PASS: nothing is left out');
  },

  'what the page on verification says by hand comes true': async (reader) => {
    const BASE = await sharedService(reader);
    const { status, said } = await paste(session('docs/verification.md'), { BASE }, reader);
    expect(status, said).toBe(0);
    expect(said).toMatch(/words: pass\nbatch: pass\n(chain: holds .+\n){3}/);
  },

  'what two pages say of time stamps, openings and files comes true, by a real authority and a real beacon':
    async (reader) => {
      const certificates = await makeCertificates();
      const [authority, beacon] = [
        await startAuthority(certificates),
        await startBeacon({ genesis: 1_700_000_000, period: 30 }),
      ];
      const folder = newFolder('witnesses');
      const [pem, chain] = [join(folder, 'authority.pem'), join(folder, 'chain.json')];
      writeFileSync(pem, authority.root);
      writeFileSync(chain, JSON.stringify(beacon.info));
      await beacon.reach(10_000_000);
      const settings = {
        TSA_URLS: authority.url,
        TSA_CERTIFICATES: pem,
        DRAND_CHAIN: chain,
        ANCHOR_INTERVAL_SECONDS: '1',
        ANCHOR_CONFIRMATIONS: '1',
      };
      const blocksOf = (page: string) =>
        shellBlocks(page).flatMap(({ pasted, text }) => (pasted ? [] : [text]));
      const [stamped] = blocksOf('docs/verification.md');
      const runnable = (block: string) =>
        block
          .replaceAll('<id>', '"$ID"')
          .replaceAll('0x…', '"$(block_hash)"')
          .replaceAll('svc-files-….json', 'svc-files-*.json')
          .replaceAll('https://api.drand.sh', beacon.url)
          .replaceAll('--blind ', `--blind --chain ${chain} `)
          .replaceAll('svc opening "$ID"', `svc opening "$ID" --chain ${chain}`)
          // This command works from 2030 on.
          .replace(/^svc open "\$ID" .*$/m, '')
          .replace(/^svc open receipt.json /m, `svc open receipt.json --chain ${chain} `);
      try {
        await withService(settings, reader, async (BASE) => {
          const script = [
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
            ...blocksOf('docs/which-proof.md').flatMap((block) => ['rm -f svc-files-*', runnable(block)]),
            // This command needs the latest etch.
            'svc evidence "$ID" --out evidence.json --timeout 120',
            'HASH=$(block_hash)',
            stamped,
          ].join('\n');
          const { status, said } = await paste(script, { SVC_BASE_URL: BASE }, reader);
          expect(status, said).toBe(0);
          expect(said).toContain('It will rain on the first of May.');
          expect(said.match(/PASS {2}The time stamp: stamped/g)).toHaveLength(3);
          expect(said).toContain('Verification: OK');
        });
      } finally {
        await Promise.all([authority.stop(), beacon.stop()]);
      }
    },

  'the page on events and webhooks works as pasted': async (reader) => {
    const BASE = await sharedService(reader);
    const env = { BASE, API_KEY: await tokenOf(BASE, 'wren') };
    const { status, said } = await paste(session('docs/webhooks.md'), env, reader);
    expect(status, said).toBe(0);
  },

  'the page on audits works as pasted': (reader) =>
    withService({}, reader, async (BASE) => {
      const authorization = `Bearer ${await tokenOf(BASE, 'ada')}`;
      await fetch(`${BASE}/api/v1/me`, { headers: { authorization, connection: 'close' } });
      const page = session('docs/audit.md').replace('https://rpc.example.org', `${BASE}/rpc`);
      const { status, said } = await paste(page, { SVC_BASE_URL: BASE }, reader);
      expect(status, said).toBe(0);
      expect(said.match(/PASS: nothing is left out/g)).toHaveLength(3);
    }),
};
