import { readFacts } from '@svc/sdk';
import { expect, test } from 'vitest';

const relayer = `0x${'3'.repeat(40)}`;
const chain = {
  name: 'A chain',
  chain_id: 5,
  attestation_contract: `0x${'1'.repeat(40)}`,
  schema_uid: `0x${'2'.repeat(64)}`,
  relayers: [relayer],
};

test('reads the chain of a service', () => {
  expect(readFacts({ chain })).toMatchObject({ name: 'A chain', trust: { chainId: 5, relayers: [relayer] } });
});

test.each([
  { attestation_contract: [chain.attestation_contract] },
  { schema_uid: [chain.schema_uid] },
  { relayers: [[relayer]] },
  { relayers: relayer },
  { chain_id: [5] },
  { chain_id: '5' },
])('rejects a value in another JSON type: %j', (change) => {
  expect(() => readFacts({ chain: { ...chain, ...change } })).toThrow(TypeError);
});
