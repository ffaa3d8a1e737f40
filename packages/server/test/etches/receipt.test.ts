import { expect, test } from 'vitest';
import { makeReceipt } from '../../src/etches/receipt.ts';
import { findEtches } from '../../src/etches/store.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
const NOTE = 'its proofs convince nobody else';

test('a receipt warns of the embedded chain, not of a chain with its name', async () => {
  const author = await service.registerAgent();
  const { id } = await service.etch(author);
  const receipt = await service.call('GET', `/api/v1/etches/${id}/receipt`);
  expect(receipt.body._what_this_is).toContain(NOTE);

  const [row] = await findEtches(service.db, [id]);
  const view = {
    baseUrl: service.baseUrl,
    keyring: service.keyring,
    officialAccounts: new Set<string>(),
    explorerUrl: undefined,
    attestationExplorerUrl: undefined,
  };
  const say = (name: string, embedded: boolean) =>
    makeReceipt(row!, service.clock.now(), view, {
      name,
      embedded,
      chainId: 1,
      contract: `0x${'22'.repeat(20)}`,
      schemaUid: `0x${'33'.repeat(32)}`,
      relayer: `0x${'11'.repeat(20)}`,
      publicRpcUrl: 'https://rpc.example.org',
    })._what_this_is;
  expect(say('devnet', false)).not.toContain(NOTE);
  expect(say('main', true)).toContain(NOTE);
});
