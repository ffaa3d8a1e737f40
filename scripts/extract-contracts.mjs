// Copies ABI and bytecode of a development dependency, so that the deployment does not need it.
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../packages/server/bin/arguments.mjs';
import { put } from './built-files.mjs';

readArguments(`usage: node scripts/extract-contracts.mjs

Writes the ABI and bytecode of the attestation contracts to packages/server/dist. Takes no arguments.`);

const { resolve } = createRequire(import.meta.url);
const outDir = new URL('../packages/server/dist/chain/contracts/', import.meta.url);

await mkdir(outDir, { recursive: true });
for (const name of ['EAS', 'SchemaRegistry']) {
  const target = fileURLToPath(new URL(`${name}.json`, outDir));
  const from = `@ethereum-attestation-service/eas-contracts/artifacts/contracts/${name}.sol/${name}.json`;
  try {
    const { contractName, abi, bytecode } = JSON.parse(await readFile(resolve(from), 'utf8'));
    await put(target, JSON.stringify({ contractName, abi, bytecode }));
  } catch (error) {
    // An installation without development dependencies uses the existing copy.
    if (error.code !== 'MODULE_NOT_FOUND' || !existsSync(target)) throw error;
  }
}
