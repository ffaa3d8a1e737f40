import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Abi } from 'viem';
import type { Hex } from '../port.ts';

export type ContractName = 'EAS' | 'SchemaRegistry';

export interface ContractArtifact {
  abi: Abi;
  bytecode: Hex;
}

const { resolve } = createRequire(import.meta.url);

export async function loadContract(name: ContractName): Promise<ContractArtifact> {
  const { abi, bytecode } = JSON.parse(await readFile(pathOf(name), 'utf8')) as ContractArtifact;
  return { abi, bytecode };
}

function pathOf(name: ContractName): string {
  const source = `@ethereum-attestation-service/eas-contracts/artifacts/contracts/${name}.sol/${name}.json`;
  for (const path of [`#contracts/${name}.json`, source])
    try {
      return resolve(path);
    } catch {
      // Try the next one.
    }
  throw new Error(`the bytecode of ${name} is missing: run npm run build`);
}
