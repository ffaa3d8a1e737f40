// Runs without a database.
import {
  toEventSelector,
  toFunctionSelector,
  type Abi,
  type AbiEvent,
  type AbiFunction,
  type AbiParameter,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { loadContract, type ContractName } from '../../src/chain/devnet/chain-setup.ts';
import { easAbi, schemaRegistryAbi } from '../../src/chain/eas-codec.ts';
import { ATTESTATION_SCHEMA, schemaUidOf } from '../../src/chain/schema.ts';

const selectors = (abi: Abi) =>
  abi
    .filter((item): item is AbiFunction | AbiEvent => item.type === 'function' || item.type === 'event')
    .map((item) => {
      const outputs = item.type === 'function' ? item.outputs.map(typeOf).join() : '';
      const indexed = item.type === 'event' ? item.inputs.map((input) => input.indexed === true) : [];
      const selector = item.type === 'function' ? toFunctionSelector(item) : toEventSelector(item);
      return `${item.name} ${selector} ${outputs} ${String(indexed)}`;
    });
function typeOf(parameter: AbiParameter): string {
  const { type } = parameter;
  if (!('components' in parameter)) return type;
  return `(${parameter.components.map(typeOf).join()})${type.slice('tuple'.length)}`;
}

describe('the ABI in the source', () => {
  it.each<[ContractName, Abi]>([
    ['EAS', easAbi],
    ['SchemaRegistry', schemaRegistryAbi],
  ])('equals the ABI of the %s contract', async (name, ours) => {
    const { abi, bytecode } = await loadContract(name);
    const theirs = selectors(abi);
    expect(selectors(ours).filter((selector) => !theirs.includes(selector))).toEqual([]);
    expect(ours.length).toBeGreaterThan(1);
    expect(/^0x6[01][0-9a-f]{1000,}$/.test(bytecode)).toBe(true);
  });

  it('computes the schema uid that the registry gives', () => {
    expect(schemaUidOf(ATTESTATION_SCHEMA)).toBe(
      '0xbf40af4e2cfdd385cbc4b7509c06051ef6b7ba72583cc8ad4afda918bc27ae85',
    );
  });
});
