import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tlock from 'tlock-js';
import { afterEach, expect, test, vi } from 'vitest';
import { type Beacon, startBeacon } from '../../../testing/beacon/start-beacon.ts';
import { newFolder } from '../../../testing/machine/folder.ts';
import { startService } from '../../../testing/system/service-process.ts';
import { PATIENCE_MS } from '../../../testing/wait.ts';
import { promiseKey } from './support/promise-key.ts';
import { svcHere } from './support/svc-here.ts';
import { freshHome, type Ran } from '../../../testing/clients/svc.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('opens an opening at its round without the service or its database, also in other tools', async () => {
  const home = freshHome();
  const inHome = (name: string) => join(home, name);
  const write = (name: string, value: unknown) => {
    writeFileSync(inHome(name), JSON.stringify(value));
    return inHome(name);
  };
  const beacon = await startBeacon({ genesis: 1_700_000_000, period: 1 });
  const data = newFolder('data');
  const service = await startService({
    PORT: '0',
    DATA_DIR: data,
    DEVNET_PORT: '0',
    MIN_REVEAL_LEAD_SECONDS: '1',
    ANCHOR_INTERVAL_SECONDS: '1',
    ...beacon.settings,
  });
  const run = (...args: string[]) => svcHere(args, { home, env: { SVC_BASE_URL: service.url } });
  const words = 'Two lines,\nand a wave 🌊.';
  expect((await run('register')).status).toBe(0);
  const { etch } = await jsonOf(
    run('etch', words, '--description', 'Sealed', '--sealed-until', '1d', '--wait', '--json'),
  );
  const file = inHome('opening.json');
  // The round belongs to a different chain than the pinned or named one.
  await ends(run('opening', etch.id, '--out', file), 1, { err: 'chain_hash is' });
  const named = ['--chain', beacon.settings.DRAND_CHAIN];
  await ends(run('opening', etch.id, '--out', file, ...named), 0, { out: 'still works after a retraction' });
  expect((await run('receipt', etch.id, '--out', inHome('receipt.json'))).status).toBe(0);
  await blindStory(run, beacon, inHome);
  const facts = await (await fetch(`${service.url}/.well-known/svc.json`)).json();
  const key = facts.promise.keys[0] as string;
  await service.stop();
  rmSync(data, { recursive: true, force: true });

  await ends(
    run('open', inHome('blind.json'), '--chain', beacon.settings.DRAND_CHAIN, '--drand', beacon.url),
    0,
    { out: BLIND },
  );

  const opening = JSON.parse(readFileSync(file, 'utf8'));
  const open = (...args: string[]) => run('open', file, '--promise-key', key, ...args);
  const options = {
    disableBeaconVerification: false,
    noCache: true,
    chainVerificationParams: { chainHash: beacon.info.hash, publicKey: beacon.info.public_key },
  };
  const url = `${beacon.url}/${beacon.info.hash}`;
  const client = new tlock.HttpChainClient(new tlock.HttpCachingChain(url, options), options);
  vi.spyOn(console, 'log').mockReturnValue();

  await beacon.reach(opening.round - 1);
  await ends(open('--drand', beacon.url), 2, { out: 'sealed: Round', without: 'a wave' });
  await expect(tlock.timelockDecrypt(opening.ciphertext, client)).rejects.toThrow('too early');
  const chain = ['--chain', beacon.settings.DRAND_CHAIN];
  const before = await open(...chain, '--beacon', beacon.sign(opening.round - 1));
  expect([before.status, /(\S+): This is not/.exec(before.out)?.[1]]).toEqual([2, 'other-beacon']);
  const elsewhere = await open('--beacon', beacon.sign(opening.round));
  expect([elsewhere.status, /(\S+): It is encrypted/.exec(elsewhere.out)?.[1]]).toEqual([2, 'other-chain']);

  await beacon.reach(opening.round);
  await ends(
    open('--drand', beacon.url, '--receipt', inHome('receipt.json'), '--out', inHome('opened.json')),
    0,
    { out: words },
  );
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(etch.reveal_at) + 2_000 });
  const theirs = (await tlock.timelockDecrypt(opening.ciphertext, client)).toString();
  vi.useRealTimers();
  expect(theirs.endsWith(`|${words}`)).toBe(true);
  const verified = JSON.parse((await run('verify', inHome('opened.json'), '--offline', '--json')).out);
  expect(verified.checks[0]).toMatchObject({ key: 'words', verdict: 'pass' });

  // Neither a receipt nor a promise of unknown origin decides against the opening.
  const stranger = promiseKey();
  const changed = JSON.parse(readFileSync(inHome('receipt.json'), 'utf8'));
  const other = write('other.json', { ...changed, hash: 'f'.repeat(64) });
  await ends(open('--drand', beacon.url, '--receipt', other, '--out', inHome('no.json')), 2, {
    out: 'WAIT  The receipt has a different hash',
  });
  expect(existsSync(inHome('no.json'))).toBe(false);
  const promised = [opening.etch_id, changed.author.user_id, 'f'.repeat(64), '2020-01-01', 'f'.repeat(64)];
  const words_ = ['svc-promise:v3', ...promised, 'science', 'delayed', '2020-01-01T00:00:00.000Z', '-'];
  const forgedPromise = write('forged-promise.json', stranger.promise([...words_, 'f'.repeat(64)].join('|')));
  await ends(open('--drand', beacon.url, '--promise', forgedPromise), 2, { out: 'WAIT  other-promise' });

  // The service signed the junk, so this is a broken promise.
  const junk = { ...opening, hash: 'f'.repeat(64), public_key: stranger.publicKey };
  const text = [
    'svc-opening:v1',
    junk.etch_id,
    junk.hash,
    junk.chain_hash,
    junk.round,
    await sha256(junk.ciphertext),
  ];
  const signed = write('junk.json', { ...junk, signature: stranger.sign(text.join('|')) });
  const judged = async (...args: string[]) => {
    const { status, out } = await run('open', signed, '--drand', beacon.url, ...args);
    return [status, /FAIL {2}(\S+):/.exec(out)?.[1]];
  };
  expect(await judged('--promise-key', stranger.publicKey)).toEqual([1, 'broken']);
  expect(await judged()).toEqual([1, 'junk']);
  expect((await run('open', write('forged.json', { ...opening, round: opening.round + 1 }))).status).toBe(1);
  expect((await run('open', write('none.json', {}))).status).toBe(1);
  expect((await run('open', inHome('nowhere.json'))).status).toBe(66);
  await beacon.stop();
});

const BLIND = 'Nobody was told:\nsnow in May 🌊.';

/** The service never has this text: it is etched, opened after its round, retracted, and still opens. */
async function blindStory(
  run: (...args: string[]) => Promise<Ran>,
  beacon: Beacon,
  inHome: (name: string) => string,
): Promise<void> {
  const chain = ['--chain', beacon.settings.DRAND_CHAIN];
  const etch = (text: string, ...args: string[]) =>
    run('etch', text, '--blind', '--description', 'Blind', ...args);
  await ends(etch(BLIND, ...chain), 64, { err: '--sealed-until' });
  await ends(etch('x'.repeat(1_001), '--sealed-until', '1h'), 64, {
    err: 'at most 1000 bytes of UTF-8, this has 1001',
  });

  const made = await ends(etch(BLIND, '--sealed-until', '4s', ...chain, '--json'), 0, {
    err: 'A retraction cannot undo this',
  });
  const { etch: shown, blind } = JSON.parse(made.out);
  expect(shown).toMatchObject({ mode: 'instant', status: 'revealed' });
  expect(shown.content).toMatch(new RegExp(`^svc-tlock:v1\\|${beacon.info.hash}\\|${blind.round}\\|`));
  expect(made.out).not.toContain('snow in May');
  expect((await run('receipt', shown.id, '--out', inHome('blind.json'))).status).toBe(0);

  await ends(run('open', shown.id), 66, { err: 'not a blind seal' });
  const early = await run('open', shown.id, ...chain, '--beacon', beacon.sign(blind.round - 1));
  expect([early.status, early.out]).toEqual([2, expect.stringContaining('other-beacon')]);
  await vi.waitUntil(() => Date.now() > Date.parse(blind.due), { timeout: PATIENCE_MS });
  await ends(run('open', shown.id, ...chain), 2, { err: 'DRAND_URLS' });
  await beacon.reach(blind.round);
  await ends(run('open', shown.id, ...chain), 0, { out: BLIND });

  expect((await run('retract', shown.id, '--yes')).status).toBe(0);
  expect((await run('open', shown.id, ...chain)).status).toBe(66);
}

async function sha256(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex');
}
