// Runs without a database.
import { spawn } from 'node:child_process';
import { copyFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { findAnvil } from '../../src/chain/devnet/anvil.ts';
import { devnetChain, startTestDevnet, testLog } from '../../../../testing/chain/devnet.ts';
import { rpc } from '../../../../testing/chain/json-rpc.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { rounds } from '../../../../testing/rounds.ts';
import { eventually } from '../../../../testing/wait.ts';
import * as devnets from './devnets.ts';

const { anvilPid, attest, runs, start } = devnets;
const despiteErrors = true;

devnets.cleanUp();

it('the devnet restarts on the same port when anvil is killed', async () => {
  const path = newFolder('devnet');
  const devnet = await start(path);
  const { uid } = await attest(devnet);
  await devnet.save();
  let exits = 0;
  devnet.onExit(() => exits++);
  for (let round = 1; round <= rounds(1, 2); round++) {
    const pid = await anvilPid(path);
    process.kill(pid, 'SIGKILL');
    await eventually('another anvil runs', async () => (await anvilPid(path)) !== pid, { despiteErrors });
    const chain = devnetChain(devnet);
    expect((await eventually('it is there', () => chain.attestation(uid), { despiteErrors })).uid).toBe(uid);
    expect((await chain.identity()).genesisHash).toBe(devnet.genesisHash);
    await eventually('it attests', () => attest(devnet), { despiteErrors });
    await devnet.save();
    expect(exits).toBe(round);
  }
  const pid = await anvilPid(path);
  await devnet.stop();
  expect(runs(pid)).toBe(false);
});

it('the devnet ends with its process, even when killed, and continues in the next', async () => {
  const path = newFolder('devnet');
  const { child } = await devnets.startAlone(path);
  await expect(startTestDevnet({ dataDir: path })).rejects.toThrow(/in use/);
  const pid = await anvilPid(path);
  const rpcUrl = await devnets.anvilUrl(pid);
  const saved = async () => (await stat(join(path, 'devnet', 'state.json.gz'))).mtimeMs;
  const before = await saved();
  await rpc(rpcUrl, 'evm_mine');
  const head = (await rpc(rpcUrl, 'eth_getBlockByNumber', 'latest', false)) as { hash: string };
  await eventually('it is saved', async () => (await saved()) > before);
  expect(runs(pid)).toBe(true);
  child.kill('SIGKILL');
  await eventually('anvil ends', () => !runs(pid));
  const devnet = await start(path);
  expect(devnet.isFresh).toBe(false);
  expect((await devnetChain(devnet).head()).hash).toBe(head.hash);
});

it('the devnet ends an anvil left running in its directory and no other process', async () => {
  const path = newFolder('devnet');
  const first = await start(path);
  const kept = await anvilPid(path);
  await first.stop();
  expect(runs(kept)).toBe(false);
  const innocent = spawn('sleep', ['60'], { stdio: 'ignore' });
  devnets.cleanups.push(async () => void innocent.kill('SIGKILL'));
  await writeFile(join(path, 'devnet', 'anvil.pid'), String(innocent.pid));
  const second = await start(path);
  expect(runs(innocent.pid!)).toBe(true);
  await second.stop();

  const orphan = spawn(findAnvil(), ['--port', '0', '--quiet', '--cache-path', join(path, 'devnet')], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => orphan.once('exit', (_, signal) => resolve(signal)));
  await writeFile(join(path, 'devnet', 'anvil.pid'), String(orphan.pid));
  const log = testLog();
  await start(path, { log });
  expect(await ended).toBe('SIGKILL');
  expect(log.lines.join('\n')).toMatch(/left running/);
});

const DAMAGE: [string, (file: string) => Promise<void>][] = [
  ['cut short', async (file) => truncate(file, (await stat(file)).size >> 1)],
  ['lost', (file) => rm(file)],
  ['of the wrong kind', (file) => writeFile(file, gzipSync('{"blocks":[]}'))],
];
it.each(DAMAGE.slice(0, rounds(1, 3)))(
  'the devnet starts again from the same genesis when its state is %s',
  async (_, damage) => {
    const path = newFolder('devnet');
    const first = await start(path);
    const { uid } = await attest(first);
    await first.stop();
    await damage(join(path, 'devnet', 'state.json.gz'));
    const log = testLog();
    const second = await start(path, { log });
    expect(second.isFresh).toBe(true);
    expect(log.lines.join('\n')).toMatch(/starting afresh/);
    expect(devnets.identityOf(second)).toEqual(devnets.identityOf(first));
    const chain = devnetChain(second);
    expect(await chain.attestation(uid)).toBeNull();
    expect(await chain.minedNonce()).toBe(0);
    expect((await attest(second)).receipt.succeeded).toBe(true);
    await second.stop();
    expect((await start(path)).isFresh).toBe(false);
  },
);

it('the devnet rejects a different devnet’s state, and does not start with a damaged key', async () => {
  const [mine, theirs] = [newFolder('devnet'), newFolder('devnet')];
  const other = await start(theirs);
  await other.stop();
  const first = await start(mine);
  await first.stop();
  expect(first.genesisHash).not.toBe(other.genesisHash);
  await copyFile(join(theirs, 'devnet', 'state.json.gz'), join(mine, 'devnet', 'state.json.gz'));
  const log = testLog();
  const second = await start(mine, { log });
  expect(log.lines.join('\n')).toMatch(/a different chain/);
  expect(second.genesisHash).toBe(first.genesisHash);
  await second.stop();
  await writeFile(join(mine, 'devnet', 'relayer.key'), 'gone');
  await expect(startTestDevnet({ dataDir: mine })).rejects.toThrow(/does not contain a private key/);
});

it('the devnet stops although anvil hangs, and continues from the saved state', async () => {
  const path = newFolder('devnet');
  const devnet = await start(path);
  const { uid } = await attest(devnet);
  await devnet.save();
  const pid = await anvilPid(path);
  process.kill(pid, 'SIGSTOP');
  await devnet.stop();
  expect(runs(pid)).toBe(false);
  expect((await devnetChain(await start(path)).attestation(uid))?.uid).toBe(uid);
});
