// Runs without a database.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { API_VERSION } from '@svc/contract';

const ROOT = new URL('../../../../', import.meta.url);
const { version, workspaces } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  version: string;
  workspaces: string[];
};

test('all released packages have one version', () => {
  for (const workspace of workspaces) {
    const text = readFileSync(new URL(`${workspace}/package.json`, ROOT), 'utf8');
    expect((JSON.parse(text) as { version: string }).version, workspace).toBe(version);
  }
  expect(API_VERSION).toBe(version);
});
