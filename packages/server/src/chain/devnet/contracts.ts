import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Abi } from 'viem';
import type { Hex } from '../port.ts';

export type ContractName = 'EAS' | 'SchemaRegistry';

export interface ContractArtifact {
  abi: Abi;
  /** creation code, without constructor arguments */
  bytecode: Hex;
}

/**
 * ABI and creation bytecode of an attestation contract, as the build extracted them. In a checkout that was not built
 * completely they come straight from the development dependency.
 */
export async function loadContract(name: ContractName): Promise<ContractArtifact> {
  // the same place, seen from src/chain/devnet and from dist/chain/devnet
  const extracted = new URL(`../../../dist/chain/contracts/${name}.json`, import.meta.url);
  const text = await readFile(extracted, 'utf8').catch(() => readFile(dependencyPath(name), 'utf8'));
  const { abi, bytecode } = JSON.parse(text) as ContractArtifact;
  return { abi, bytecode };
}

function dependencyPath(name: ContractName): string {
  try {
    return createRequire(import.meta.url).resolve(
      `@ethereum-attestation-service/eas-contracts/artifacts/contracts/${name}.sol/${name}.json`,
    );
  } catch {
    throw new Error(`the bytecode of ${name} is missing: run npm run build`);
  }
}
