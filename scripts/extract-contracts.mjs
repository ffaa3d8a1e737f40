// Copies ABI and bytecode of a development dependency, so that the deployment does not need it.
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../packages/server/bin/arguments.mjs';

readArguments(`usage: node scripts/extract-contracts.mjs

Writes the ABI and bytecode of the attestation contracts to packages/server/dist. Takes no arguments.`);

const require = createRequire(import.meta.url);
const outDir = new URL('../packages/server/dist/chain/contracts/', import.meta.url);

const modified = async (path) => {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
};

const source = (name) => {
  try {
    return require.resolve(
      `@ethereum-attestation-service/eas-contracts/artifacts/contracts/${name}.sol/${name}.json`,
    );
  } catch {
    return undefined;
  }
};

await mkdir(outDir, { recursive: true });
for (const name of ['EAS', 'SchemaRegistry']) {
  const target = fileURLToPath(new URL(`${name}.json`, outDir));
  const from = source(name);
  const made = await modified(target);
  if (from === undefined) {
    if (made !== undefined) continue;
    throw new Error(
      'the development dependency @ethereum-attestation-service/eas-contracts is not installed',
    );
  }
  const newest = Math.max((await modified(from)) ?? 0, (await modified(fileURLToPath(import.meta.url))) ?? 0);
  if (made !== undefined && made > newest) continue;
  const { contractName, abi, bytecode } = JSON.parse(await readFile(from, 'utf8'));
  const aside = `${target}.${process.pid}`;
  await writeFile(aside, JSON.stringify({ contractName, abi, bytecode }));
  await rename(aside, target); // other builds may read the file
}
