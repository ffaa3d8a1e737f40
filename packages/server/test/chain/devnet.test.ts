import { readdir, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chainOf, eventually, request, rpc, startTestDevnet, testLog } from './support.ts';

import { anvilPid, attest, cleanups, cleanUp, dataDir, identityOf, start } from './devnets.ts';

cleanUp();

describe('the devnet', () => {
  it('goes on where it stopped, as often as it is started', async () => {
    const path = await dataDir();
    let devnet = await start(path);
    const identity = identityOf(devnet);
    expect(devnet.isFresh).toBe(true);
    const made: Awaited<ReturnType<typeof attest>>[] = [];
    for (let round = 0; round < 4; round++) {
      made.push(await attest(devnet));
      await devnet.stop();
      devnet = await start(path);
      expect(devnet.isFresh).toBe(false);
      expect(identityOf(devnet)).toEqual(identity);
      const chain = chainOf(devnet);
      expect(await chain.minedNonce()).toBe(made.length);
      for (const { uid, receipt } of made) {
        expect((await chain.attestation(uid))?.uid).toBe(uid);
        expect(await chain.receipt(receipt.txHash)).toEqual(receipt);
        expect((await chain.blockByNumber(receipt.blockNumber))?.hash).toBe(receipt.blockHash);
      }
    }
  });

  it('keeps its key and its state to itself', async () => {
    const path = await dataDir();
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

  it('saves new blocks by itself', async () => {
    const path = await dataDir();
    const devnet = await start(path);
    const saved = async () => (await stat(join(path, 'devnet', 'state.json.gz'))).mtimeMs;
    const before = await saved();
    await attest(devnet);
    await eventually(async () => (await saved()) > before);
  });

  it('saves a state whose accounts and blocks agree, while blocks are made', async () => {
    const path = await dataDir();
    const devnet = await start(path);
    const chain = chainOf(devnet);
    const fees = await chain.fees();
    let isSending = true;
    const sending = (async () => {
      for (let nonce = 0; isSending; nonce++) {
        const { raw } = await chain.sign({
          nonce,
          calldata: chain.encodeAttest([request()]),
          gas: 1_000_000n,
          ...fees,
        });
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
    await eventually(async () => (await anvilPid(path)) !== pid);
    const { number } = await eventually(() => chain.head());
    let attestations = 0;
    for (let block = 0; block <= number; block++) {
      const { transactions } = (await rpc(
        devnet.rpcUrl,
        'eth_getBlockByNumber',
        `0x${block.toString(16)}`,
        true,
      )) as {
        transactions: { from: string; hash: `0x${string}` }[];
      };
      for (const { hash } of transactions.filter(({ from }) => from === chain.relayer)) {
        const receipt = await chain.receipt(hash);
        expect((await chain.attestation(receipt!.logs[0]!.uid))?.attester).toBe(chain.relayer);
        attestations++;
      }
    }
    expect(attestations).toBeGreaterThan(0);
    expect(await chain.minedNonce()).toBe(attestations);
  });

  it('takes another port when its own is taken, and says so', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => new Promise((resolve) => taken.close(() => resolve())));
    const { port } = taken.address() as AddressInfo;
    const log = testLog();
    const devnet = await start(await dataDir(), { port, log });
    expect(devnet.port).not.toBe(port);
    expect(log.lines.join('\n')).toContain(`port ${port} is taken`);
    expect((await chainOf(devnet).identity()).chainId).toBe(31337);
  });

  it('is not run twice in one directory', async () => {
    const path = await dataDir();
    const devnet = await start(path);
    await expect(startTestDevnet(path)).rejects.toThrow(/in use/);
    expect((await attest(devnet)).receipt.succeeded).toBe(true);
  });

  it('takes a transaction of thousands of attestations', async () => {
    const devnet = await start(await dataDir());
    const chain = chainOf(devnet);
    const requests = Array.from({ length: 2_000 }, () => request({ revocable: true }));
    const calldata = chain.encodeAttest(requests);
    const signing = { nonce: 0, calldata, gas: 480_000_000n, ...(await chain.fees()) };
    const { raw, hash } = await chain.sign(signing);
    expect((await chain.send(raw)).outcome).toBe('accepted');
    const receipt = await eventually(() => chain.receipt(hash));
    expect(receipt.succeeded).toBe(true);
    expect(new Set(receipt.logs.map((log) => log.uid)).size).toBe(2_000);
  });
});
