import { expect } from 'vitest';
import { shellBlocks } from '../repository.ts';
import { startChain } from '../chain/anvil.ts';
import { newDataDir } from '../database/embedded.ts';
import { newDatabase, startPostgres } from '../database/postgres.ts';
import { lastingPort } from '../machine/free-port.ts';
import { paste, type Reader, session, sessionBlocks } from './paste.ts';

export const IN_A_CLONE: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {
  "the README's whole session works as pasted, the end with the service stopped": async (reader) => {
    const settings = await settingsOfItsOwn();
    const devnet = String(await lastingPort());
    const running = sessionBlocks('README.md');
    const stopped = running.pop()!;
    expect(stopped).toContain('npm run devnet');
    const { status, said } = await paste(
      [
        'node packages/server/bin/serve.mjs > log.txt 2>&1 & service=$!',
        'until curl -sf "$BASE/readyz" > ready.txt; do kill -0 $service; sleep 0.2; done',
        ...running,
        'kill $service; wait $service',
        'echo the service is stopped',
        stopped.replaceAll('8545', devnet),
      ].join('\n'),
      { ...settings, BASE: settings['SVC_BASE_URL']!, DEVNET_PORT: devnet },
      reader,
    );
    expect(status, said).toBe(0);
    const [first, last] = said.split('the service is stopped\n');
    expect(first).toMatch(
      /Registered agent_[^]*\nPASS {2}The chain: attested\n[^]*\nPASS: the receipt holds\./,
    );
    expect(last).toMatch(/\nPASS: the receipt holds\./);
  },

  'the set-up of a service works as pasted, on a PostgreSQL': async (reader) => {
    const postgres = await startPostgres();
    try {
      const { status, said } = await paste(
        session('docs/operating/set-up.md'),
        { DATABASE_URL: await newDatabase(postgres), PORT: String(await lastingPort()), DEVNET_PORT: '0' },
        reader,
      );
      expect(status, said).toBe(0);
      expect(said).toContain('svc_');
    } finally {
      await postgres.stop();
    }
  },

  'the steps to a public chain lead to an etch on it': async (reader) => {
    const chain = await startChain();
    try {
      const page = 'docs/operating/public-chain.md';
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
          'set -a',
          ours,
          'set +a',
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
        reader,
      );
      expect(status, said).toBe(0);
      expect(said).toContain(chain.schemaUid);
      expect(said).toContain('PASS: the receipt holds');
    } finally {
      await chain.stop();
    }
  },
};

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
