// Runs without a database.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUICKNET } from '@svc/protocol/timelock';
import { expect, test } from 'vitest';
import { localChain } from '../../../../testing/beacon/chain.mjs';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { readConfig } from '../../src/settings/read-config.ts';

const chainOf = (value?: string) => readConfig(value === undefined ? {} : { DRAND_CHAIN: value }).drandChain;
const { info } = localChain({ genesis: 1_700_000_000, period: 3 });

test('DRAND_CHAIN is quicknet, a chain from a file, or off', () => {
  const folder = newFolder('drand');
  const write = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  expect(chainOf()).toEqual(QUICKNET);
  expect(chainOf('off')).toBeUndefined();
  expect(chainOf(write('good.json', info))?.hash).toBe(info.hash);
  for (const bad of [
    write('period.json', { ...info, period: 4 }),
    write('scheme.json', { ...info, schemeID: 'pedersen-bls-chained' }),
    join(folder, 'nowhere.json'),
  ])
    expect(() => chainOf(bad)).toThrow('DRAND_CHAIN must be `quicknet`, `off`, or a file');
});

test('DRAND_URLS are relays of the configured chain', () => {
  const url = 'https://relay.example.org/drand';
  expect(readConfig({}).secrets.drandUrls).toBeUndefined();
  expect(readConfig({ DRAND_URLS: url }).secrets.drandUrls).toEqual([url]);
  expect(() => readConfig({ DRAND_URLS: url, DRAND_CHAIN: 'off' })).toThrow('DRAND_CHAIN is off');
});
