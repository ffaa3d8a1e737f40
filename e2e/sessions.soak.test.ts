import { afterAll, beforeAll, describe, test } from 'vitest';
import { startLocalRegistry } from '../testing/machine/local-registry.ts';
import { bringNewestNode } from '../testing/machine/newest-node.ts';
import { install, release, SCOPE } from '../testing/machine/packed.ts';
import type { LocalServer } from '../testing/machine/server.ts';
import { quickstartForAgents } from '../testing/sessions/agents.ts';
import { AT_A_SERVICE } from '../testing/sessions/at-a-service.ts';
import { IN_A_CLONE } from '../testing/sessions/in-a-clone.ts';
import {
  inClone,
  type Reader,
  useSharedServices,
  withPackages,
  withService,
} from '../testing/sessions/paste.ts';

// On this Node.js and the newest long-term version, in a clone and with only the released tarballs.
const WITHOUT_A_SERVER: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {
  ...AT_A_SERVICE,
  'the quickstart for agents works as pasted': (reader) =>
    withService({ MIN_REVEAL_LEAD_SECONDS: '1', ANCHOR_INTERVAL_SECONDS: '1' }, reader, (url) =>
      quickstartForAgents(reader, url),
    ),
};

useSharedServices();

let [newest, tarballs, registry] = ['', [] as string[], undefined as LocalServer | undefined];
beforeAll(async () => {
  newest = bringNewestNode();
  tarballs = [...(await release()).tarballs.values()];
  registry = await startLocalRegistry(new Map());
});
afterAll(() => registry?.stop());

describe.concurrent.each([
  ['this', () => process.execPath],
  ['the newest long-term', () => newest],
] as const)('on %s Node.js, from the tarballs alone,', (_, node) => {
  let reader: Reader;
  beforeAll(async () => {
    const { folder } = await install(tarballs, registry!.url, { node: node() });
    reader = withPackages(folder, SCOPE, node());
  });
  test.each(Object.entries(WITHOUT_A_SERVER))('%s', (_name, pasted) => pasted(reader));
});

describe.concurrent('on the newest long-term Node.js, in a clone,', () => {
  test.each(Object.entries({ ...WITHOUT_A_SERVER, ...IN_A_CLONE }))('%s', (_name, pasted) =>
    pasted(inClone(newest)),
  );
});
