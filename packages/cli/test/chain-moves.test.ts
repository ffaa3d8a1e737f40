import { readFileSync, writeFileSync } from 'node:fs';
import { moveText } from '@svc/protocol';
import { type Trust } from '@svc/verifier';
import { beforeEach, expect, test } from 'vitest';
import { trustOf } from '../../../testing/vectors/receipts.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { promiseKey } from './support/promise-key.ts';
import { usePublished } from './support/published.ts';
import { save } from './support/saved.ts';
import { publish, wellKnown } from './support/service.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const reader = usePublished();
const { vector, id } = reader;
const key = promiseKey();
const present = trustOf(vector);
const left: Trust = { ...present, chainId: 10, contract: `0x${'7'.repeat(40)}` };
const info = '/.well-known/svc.json';

const run = (...args: string[]) => svcHere(args, { home: reader.home });
const verify = (...args: string[]) => run('verify', id, '--base-url', reader.service.origin, ...args);
const trust = (...args: string[]) => run('trust', reader.service.origin, ...args);
const pinned = () => JSON.parse(readFileSync(reader.pinsFile, 'utf8'))[reader.service.origin];
const signed = (text: string, by = key) => ({
  text,
  signatures: [{ public_key: key.publicKey, signature: by.sign(text) }],
});
const stating = (...moves: unknown[]) => {
  const facts = wellKnown(vector, reader.rpc.url);
  reader.service.answers[info] = { ...facts, promise: { keys: [key.publicKey] }, moves };
};
const move = { leftAt: '2026-03-04T05:06:07.890Z', from: left, to: present };
const snake = ({ chainId, contract, schemaUid, relayers }: Trust) => ({
  chain_id: chainId,
  attestation_contract: contract,
  schema_uid: schemaUid,
  relayers,
});

beforeEach(() => reader.pin({ ...snake(left), promise_keys: [key.publicKey] }));

test('a signed move lets a receipt wait, and svc trust pins the new chain and keeps the former one', async () => {
  stating(signed(moveText(move)));
  const { origin } = reader.service;
  const words = `this service moved to another chain on 2026-03-04: run svc trust ${origin}`;
  await ends(verify(), 2, { last: `WAIT: ${words}`, without: 'FAIL' });
  await ends(verify('--json'), 2, { json: { result: 'wait', moved: words } });
  await ends(run('audit', 'ada', '--base-url', origin), 2, { err: 'moved to another chain on 2026-03-04' });
  await ends(trust(), 0, { out: 'former chain 10' });
  expect(pinned()).toEqual({ ...snake(present), promise_keys: [key.publicKey], former: [snake(left)] });
  await ends(verify(), 0);
  await ends(trust('--json'), 0, { json: { new: false, former: [snake(left)] } });
  await ends(run('trust'), 0, { out: 'former chain 10' });
});

test('a move that no pinned key signed lets a receipt wait, and only the reader accepts it', async () => {
  const text = moveText(move);
  for (const stated of [
    { text },
    signed(text, promiseKey()),
    { ...signed(text), text: text.replace('04T', '05T') },
  ]) {
    stating(stated);
    await ends(verify(), 2, { last: /^WAIT: this service says that it moved .* ask its operator/ });
    const before = readFileSync(reader.pinsFile, 'utf8');
    await ends(trust(), 1, { out: '', err: 'svc trust --accept' });
    expect(readFileSync(reader.pinsFile, 'utf8')).toBe(before);
  }
  await ends(trust('--accept'), 0);
  expect(pinned()).toMatchObject({ ...snake(present), former: [snake(left)] });
  await ends(verify(), 0);
  await ends(run('trust', '--accept'), 64);
});

test('a receipt on another chain fails when no move leads from the pinned chain to its own', async () => {
  const elsewhere = { ...present, chainId: 11 };
  for (const moves of [
    [],
    [signed(moveText({ ...move, from: { ...left, contract: present.contract } }))],
    [signed(moveText({ ...move, to: elsewhere }))],
    [signed(`${moveText(move)}|`), null, { text: 7 }],
  ]) {
    stating(...moves);
    await ends(verify(), 1);
    await ends(trust(), 1);
  }
  stating(signed(moveText(move)));
  const flags = ['--chain-id', '10', '--contract', left.contract, '--schema', left.schemaUid];
  await ends(verify(...flags, '--relayer', left.relayers[0]!, '--rpc', reader.rpc.url), 1);
});

test('the claim of a receipt alone lets it wait, unless the service contradicts it', async () => {
  const receipt = publish(reader.service, vector, reader.rpc.url);
  const former = [{ ...receipt.chain, chain_id: 10, attestation_contract: left.contract }];
  const file = save({ ...receipt, former });
  await ends(run('verify', file, '--offline'), 2, {
    last: /^WAIT: .* moved from the pinned chain 10 to chain 31337: if \S+ answers, run svc trust/,
  });
  await ends(run('verify', save(receipt), '--offline'), 1);
  await ends(run('verify', save({ ...receipt, former: [receipt.chain] }), '--offline'), 1);
  stating();
  await ends(run('verify', file), 1);
});

test('--former uses the former pin', async () => {
  const [{ evidence, former }] = readVector('valid/former-chain').cases;
  const [{ trust: first, block_hashes: hashes }] = former;
  const blocks = hashes.flatMap((hash: string) => ['--block-hash', hash]);
  const judge = () => run('verify', save(evidence), '--former', '--offline', ...blocks);
  const pin = (value: object) =>
    writeFileSync(reader.pinsFile, JSON.stringify({ 'https://svc.example': value }));
  const moved = snake({ ...present, chainId: 100 });
  pin(moved);
  await ends(judge(), 1);
  pin({ ...moved, former: [snake(trustOf({ trust: first }))] });
  await ends(judge(), 0);
  pin({ ...moved, former: [{ chain_id: 31337 }] });
  await ends(judge(), 64, { err: 'malformed' });
});
