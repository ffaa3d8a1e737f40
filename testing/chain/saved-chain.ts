import { join } from 'node:path';
import { newFolder } from '../machine/folder.ts';
import { startProgram } from '../machine/program.ts';

const PROGRAM = join(import.meta.dirname, '../../scripts/devnet.mjs');

/** `npm run devnet` for the data of a stopped service. */
export async function serveSavedChain(dataDir: string): Promise<{ rpcUrl: string; stop(): Promise<void> }> {
  let rpcUrl: string | undefined;
  const { stop } = await startProgram(
    process.execPath,
    [PROGRAM],
    (said) => {
      rpcUrl = /^RPC +(http:\S+)/m.exec(said)?.[1];
      return rpcUrl !== undefined;
    },
    {
      cwd: newFolder('cwd'),
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        DATA_DIR: dataDir,
        DEVNET_PORT: '0',
      },
    },
  );
  return { rpcUrl: rpcUrl!, stop };
}
