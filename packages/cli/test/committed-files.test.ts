import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRpc } from '../../../testing/chain/rpc-server.ts';
import type { ChainState, RpcServer } from '../../../testing/chain/rpc-server.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { folderOf } from './support/folder.ts';
import { save } from './support/saved.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

interface Committed {
  name: string;
  expect: 'pass' | 'fail';
  receipt: object;
  chain: ChainState;
  files: Record<string, string>;
  manifest: { files: { name: string }[] } | null;
}
const { cases, trust } = readVector('valid/committed-files');

let rpc: RpcServer;
beforeAll(async () => {
  rpc = await startRpc({ chain_id: 1, eth_call: {} });
});
afterAll(() => rpc.close());

test.each(cases as Committed[])('svc verify --files: $name', async (one) => {
  const ran = await svcHere([
    ...['verify', save(one.receipt), '--rpc', rpc.add(one.chain), '--relayer', trust.relayers[0]],
    ...['--contract', trust.contract, '--schema', trust.schema_uid, '--chain-id', String(trust.chain_id)],
    ...['--files', folderOf(one.files)],
    ...(one.manifest === null ? [] : ['--manifest', save(one.manifest)]),
  ]);
  expect(ran.status, ran.out + ran.err).toBe(one.expect === 'pass' ? 0 : 1);
});

test('svc files disclose finds a name in a different Unicode form', async () => {
  const { manifest } = (cases as Committed[]).find(({ name }) => name === 'a manifest with names apart')!;
  const kept = manifest!.files.find(({ name }) => name !== 'plan.txt')!.name;
  const { out } = await ends(svcHere(['files', 'disclose', save(manifest), kept.normalize('NFC')]), 0);
  expect(kept).not.toBe(kept.normalize('NFC'));
  expect(JSON.parse(out).file.name).toBe(kept);
});
