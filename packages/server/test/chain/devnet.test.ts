// Runs without a database.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { devnetChain, testLog } from '../../../../testing/chain/devnet.ts';
import { rpc } from '../../../../testing/chain/json-rpc.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { startServer } from '../../../../testing/machine/server.ts';
import { rounds } from '../../../../testing/rounds.ts';
import { eventually } from '../../../../testing/wait.ts';
import { anvilPid, anvilUrl, attest, cleanups, cleanUp, identityOf, start, startAlone } from './devnets.ts';
import { request } from './transactions.ts';

cleanUp();

it('the devnet continues where it stopped, and other users can read neither its key nor its state', async () => {
  const path = newFolder('devnet');
  const log = testLog();
  let devnet = await start(path, { log });
  const identity = identityOf(devnet);
  expect(devnet.isFresh).toBe(true);
  const made: Awaited<ReturnType<typeof attest>>[] = [];
  for (let round = 0; round < rounds(1, 2); round++) {
    made.push(await attest(devnet));
    await devnet.stop();
    const files = await readdir(join(path, 'devnet'));
    expect(files).not.toContain('state.json');
    for (const file of files) expect((await stat(join(path, 'devnet', file))).mode & 0o077, file).toBe(0);
    devnet = await start(path, { log });
    expect(devnet.isFresh).toBe(false);
    expect(identityOf(devnet)).toEqual(identity);
    const chain = devnetChain(devnet);
    expect(await chain.minedNonce()).toBe(made.length);
    for (const { uid, receipt } of made) {
      expect((await chain.attestation(uid))?.uid).toBe(uid);
      expect(await chain.receipt(receipt.txHash)).toEqual(receipt);
      expect((await chain.blockByNumber(receipt.blockNumber))?.hash).toBe(receipt.blockHash);
    }
  }
  expect(log.lines.join('\n')).not.toContain(devnet.relayerPrivateKey.slice(2));
});

it('the devnet saves a state whose accounts and blocks agree while it mines', async () => {
  const path = newFolder('devnet');
  const devnet = await start(path);
  const chain = devnetChain(devnet);
  const fees = await chain.fees();
  let isSending = true;
  const sending = (async () => {
    for (let nonce = 0; isSending; nonce++) {
      const calldata = chain.encodeAttest([request()]);
      const { raw } = await chain.sign({ nonce, calldata, gas: 1_000_000n, ...fees });
      await chain.send(raw);
    }
  })();
  let mined = 0;
  try {
    for (let round = 0; round < rounds(4, 8); round++) {
      const before = mined;
      mined = await eventually('a block is mined', async () => {
        const now = await chain.minedNonce();
        return now > before && now;
      });
      await devnet.save();
    }
  } finally {
    isSending = false;
    await sending;
  }
  const pid = await anvilPid(path);
  process.kill(pid, 'SIGKILL');
  const despiteErrors = true;
  await eventually('another anvil runs', async () => (await anvilPid(path)) !== pid, { despiteErrors });
  const { number } = await eventually('it answers', () => chain.head(), { despiteErrors });
  let attestations = 0;
  for (let block = 0; block <= number; block++) {
    const found = await rpc(devnet.rpcUrl, 'eth_getBlockByNumber', `0x${block.toString(16)}`, true);
    const { transactions } = found as { transactions: { from: string; hash: `0x${string}` }[] };
    for (const { hash } of transactions.filter(({ from }) => from === chain.relayer)) {
      const receipt = await chain.receipt(hash);
      expect((await chain.attestation(receipt!.logs[0]!.uid))?.attester).toBe(chain.relayer);
      attestations++;
    }
  }
  expect(attestations).toBeGreaterThanOrEqual(mined);
  expect(await chain.minedNonce()).toBe(attestations);
});

it('the devnet uses another port if its own is taken, and reports it', async () => {
  const taken = await startServer(() => undefined);
  cleanups.push(() => taken.stop());
  const { port } = taken;
  const log = testLog();
  const devnet = await start(newFolder('devnet'), { port, log });
  expect(devnet.port).not.toBe(port);
  expect(log.lines.join('\n')).toContain(`port ${port} is taken`);
  expect((await devnetChain(devnet).identity()).chainId).toBe(31337);
});

const asWebsite = (url: string, method: string, params: unknown[], contentType = 'application/json') =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': contentType, origin: 'https://website.example' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });

it('npm run devnet allows every website to read and none to write', async () => {
  const path = newFolder('devnet');
  const { rpcUrl } = await startAlone(path);
  const anvil = await anvilUrl(await anvilPid(path));
  const read = await asWebsite(rpcUrl, 'eth_chainId', []);
  expect(read.headers.get('access-control-allow-origin')).toBe('*');
  expect(await read.json()).toMatchObject({ result: '0x7a69' });
  const preflight = await fetch(rpcUrl, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://website.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  });
  expect(preflight.status).toBeLessThan(300);
  expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');

  const head = await rpc(anvil, 'eth_blockNumber');
  const rich = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x0'];
  for (const [method, params] of [
    ['evm_mine', []],
    ['anvil_setBalance', rich],
    ['anvil_dumpState', []],
    ['eth_sendTransaction', [{ from: rich[0], to: rich[0] }]],
  ] as const) {
    const answer = await asWebsite(rpcUrl, method, [...params]);
    expect(await answer.json(), method).toMatchObject({ error: { code: -32601 } });
    // A browser sends such a request without a preflight to any port.
    await asWebsite(anvil, method, [...params], 'text/plain').catch(() => undefined);
  }
  expect(await rpc(anvil, 'eth_blockNumber')).toBe(head);
  expect(await rpc(anvil, 'eth_getBalance', rich[0], 'latest')).not.toBe('0x0');
  const unasked = await asWebsite(anvil, 'eth_chainId', []);
  expect(unasked.headers.get('access-control-allow-origin')).toBeNull();
});
