import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../machine/folder.ts';
import type { ChainInfo } from './chain.mjs';
import { localChain } from './chain.mjs';

export interface Beacon {
  url: string;
  info: ChainInfo;
  settings: { DRAND_CHAIN: string; DRAND_URLS: string };
  sign: (round: number) => string;
  /** releases this round and all before it */
  reach: (round: number) => Promise<void>;
  stop: () => Promise<void>;
}

export async function startBeacon(options: { genesis: number; period: number }): Promise<Beacon> {
  const { genesis, period } = options;
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'main.mjs'), String(genesis), String(period)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const url = said.toString().trim();
  const chain = localChain(options);
  const file = join(newFolder('drand'), 'chain.json');
  writeFileSync(file, JSON.stringify(chain.info));
  return {
    ...chain,
    url,
    settings: { DRAND_CHAIN: file, DRAND_URLS: url },
    async reach(round) {
      const reached = once(child.stdout, 'data');
      child.stdin.write(`${round}\n`);
      await reached;
    },
    async stop() {
      const ended = once(child, 'close');
      child.stdin.end();
      await ended;
    },
  };
}
