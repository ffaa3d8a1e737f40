import { expect } from 'vitest';
import { shellBlocks } from '../repository.ts';
import { paste, type Reader } from './paste.ts';

export async function quickstartForAgents(reader: Reader, url: string): Promise<void> {
  const blocks = shellBlocks('docs/agents.md').map(({ text }) => text.replaceAll('<BASE_URL>', url));
  expect(blocks).toHaveLength(6);
  const { status, said } = await paste(['set -u', ...blocks].join('\n'), { SVC_BASE_URL: url }, reader);
  expect(status, said).toBe(0);
  expect(said).toMatch(/Registered agent_[^]*PASS {2}The promise: kept/);
  expect(said).toMatch(/verified: pass\n/);
  expect(said).toContain('"result"');
}
