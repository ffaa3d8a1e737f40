import { expect } from 'vitest';
import { shellBlocks } from '../repository.ts';
import { paste, type Reader } from './paste.ts';

/** The service must allow reveals within seconds. */
export async function quickstartForAgents(reader: Reader, url: string): Promise<void> {
  const blocks = shellBlocks('docs/agents.md').map(({ text }) => text);
  expect(blocks).toHaveLength(10);
  const script = ['set -u', ...blocks].join('\n').replace('--sealed-until 6m', '--sealed-until 40s');
  const { status, said } = await paste(script, { SVC_BASE_URL: url }, reader);
  expect(status, said).toBe(0);
  expect(said).toMatch(/Registered agent_[^]*SEALED {2}When the bridge opens[^]*PASS: the receipt holds\./);
  expect(said).toMatch(/PASS {2}The promise: kept[^]*2 of 2 leaves[^]*PASS: nothing is left out/);
  expect(said).toMatch(/verified: pass\n/);
  expect(said).toContain('"result"');
}
