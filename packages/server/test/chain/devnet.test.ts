// Runs without a database.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { devnetChain, testLog } from '../../../../testing/chain/devnet.ts';
import { rpc } from '../../../../testing/chain/json-rpc.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { startServer } from '../../../../testing/machine/server.ts';
import { eventually } from '../../../../testing/wait.ts';
import { anvilPid, attest, cleanups, cleanUp, identityOf, start } from './devnets.ts';
import { request } from './transactions.ts';

cleanUp();

it('the devnet continues where it stopped at every start', async () => {
  const path = newFolder('devnet');
  let devnet = await start(path);
  const identity = identityOf(devnet);
  expect(devnet.isFresh).toBe(true);
  const made: Awaited<ReturnType<typeof attest>>[] = [];
  for (let round = 0; round < 2; round++) {
    made.push(await attest(devnet));
    await devnet.stop();
    devnet = await start(path);
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
});

it('the devnet keeps its key and its state unreadable for other users', async () => {
  const path = newFolder('devnet');
  const log = testLog();
  const devnet = await start(path, { log });
  await attest(devnet);
  await devnet.stop();
  for (const file of await readdir(join(path, 'devnet'))) {
    expect([file, (await stat(join(path, 'devnet', file))).mode & 0o077]).toEqual([file, 0]);
  }
  expect(log.lines.join('\n')).not.toContain(devnet.relayerPrivateKey.slice(2));
  expect(await readdir(join(path, 'devnet'))).not.toContain('state.json');
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
  try {
    for (let round = 0; round < 8; round++) await devnet.save();
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
  expect(attestations).toBeGreaterThan(0);
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
