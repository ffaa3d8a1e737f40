import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import {
  cosignedText,
  parseCheckpoint,
  signatureLine,
  verifierKey,
  withTime,
  WITNESS_KEY,
  writeVerifierKey,
} from '@svc/protocol/tlog';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../../testing/machine/folder.ts';
import { eventually } from '../../../testing/wait.ts';
import { ends } from '../../../testing/clients/ends.ts';
import { useAccount } from './support/account.ts';

const account = useAccount();
const { service } = account;
const folder = newFolder('log');
const at = (name: string) => join(folder, name);
const run = (...args: string[]) => account.run(args);

const secret = new Uint8Array(32).fill(9);
const publicKey = ed25519.getPublicKey(secret);
const TIME = 1_790_000_000;
let [etch, other] = ['', ''];
const made = async (text: string): Promise<string> =>
  (await account.json(['etch', text, '--description', 'Text', '--wait'])).etch.id;

beforeAll(async () => {
  [etch, other] = await Promise.all([made('In the log.'), made('Another text.')]);
  const known = await (await fetch(`${service.url}/.well-known/svc.json`)).json();
  const key = known.log.keys[0];
  writeFileSync(at('none'), `log ${key}\nquorum none\n`);
  const witness = writeVerifierKey('witness.example', WITNESS_KEY, publicKey);
  writeFileSync(at('one'), `log ${key}\nwitness one ${witness}\nquorum one\n`);
  await eventually(
    'the proof of the log',
    async () => (await run('receipt', etch, '--tlog-proof', at('proof'))).status === 0,
  );
  const proof = readFileSync(at('proof'), 'utf8');
  const { text } = parseCheckpoint(proof.slice(proof.indexOf('\n\n') + 2));
  const signature = withTime(TIME, ed25519.sign(Buffer.from(cosignedText(text, TIME)), secret));
  const cosignature = signatureLine(verifierKey('witness.example', WITNESS_KEY, publicKey), signature);
  writeFileSync(at('cosigned'), `${proof}${cosignature}\n`);
  await run('receipt', etch, '--out', at('receipt.json'));
});

test('an etch that its log has passes by a policy without witnesses, and waits for a quorum', async () => {
  await ends(run('verify', etch, '--require', 'log', '--policy', at('none')), 0, {
    out: 'Your policy requires no witness.',
    last: /^PASS: the hash was in a log of your policy, which requires no witness; the chain was not required\.$/,
  });
  await ends(run('verify', etch, '--require', 'log', '--policy', at('one')), 2, {
    out: 'the quorum of your policy has not cosigned',
  });
});

test('a proof with a cosignature passes without a network, and says by when', async () => {
  const args = ['verify', at('receipt.json'), '--require', 'log', '--policy', at('one'), '--offline'];
  await ends(run(...args, '--tlog-proof', at('cosigned')), 0, {
    out: `had seen its tree by ${new Date(TIME * 1000).toISOString()}`,
  });
  await ends(run(...args, '--tlog-proof', at('cosigned'), '--json'), 0, {
    json: { log: { verdict: 'pass', badge: 'witnessed' } },
  });
  await ends(run(...args), 2);
  await ends(run(...args, '--tlog-proof', at('proof')), 2);
});

test('a proof of a different etch, and a changed one, fail', async () => {
  const args = ['--require', 'log', '--policy', at('one')];
  await ends(run('verify', other, ...args, '--tlog-proof', at('cosigned')), 1, {
    out: 'a tree without this etch',
  });
  writeFileSync(at('forged'), readFileSync(at('cosigned'), 'utf8').replace(/^index \d+$/m, 'index 99999'));
  expect((await run('verify', etch, ...args, '--tlog-proof', at('forged'))).status).toBe(1);
});

test.each([
  [['--require', 'log'], 64, 'require --policy'],
  [['--policy', '/nowhere'], 66, '/nowhere cannot be read (ENOENT)'],
  [['--policy', 'receipt.json'], 66, 'line 1 of the policy'],
  [['--require', 'ots'], 64, 'require an evidence file'],
])('rejects %j', async (args, status, message) => {
  await ends(run('verify', etch, ...args.map((one) => (one === 'receipt.json' ? at(one) : one))), status, {
    err: message,
  });
});
