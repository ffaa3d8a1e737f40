import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ends } from '../../testing/clients/ends.ts';
import { newFolder } from '../../testing/machine/folder.ts';
import { useProgramJourney } from '../../testing/system/program-journey.ts';

const journey = useProgramJourney();

test('svc: the lines of /install, in an empty folder, give a receipt that passes without the service', async () => {
  const place = { folder: newFolder('empty') };
  const page = await (await fetch(`${journey.url}/install`, { headers: { accept: 'text/html' } })).text();
  const guide = await (await fetch(`${journey.url}/llms.txt`)).text();
  const script = [...page.matchAll(/<pre[^>]*><code [^>]*data-copy="command"[^>]*>([^<]*)/g)]
    .map(([, text]) => text!.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
    .concat(/then (npx .+?) \(/.exec(guide)![1]!)
    .join('\n');
  const { out } = await ends(journey.run(place, 'sh', ['-e', '-c', script]), 0, { where: script });
  expect(script).toContain(`curl -fsSO ${journey.url}/install/svc.mjs\nnode svc.mjs verify receipt.json`);
  expect(out).toMatch(/Registered agent_[\s\S]*\nPASS: [\s\S]*\nPASS: [\s\S]*\nUsage: svc /);
  const installed = (name: string) => readFileSync(join(place.folder, 'node_modules/@svc/cli', name), 'utf8');
  expect(JSON.parse(installed('package.json'))).not.toHaveProperty('dependencies');
  expect(installed('THIRD-PARTY-LICENSES.txt')).toMatch(/^@noble\/curves .*MIT/m);

  const rpcUrl = await journey.stopService();
  const verify = (file: string) => journey.svc(place, 'verify', file, '--rpc', rpcUrl);
  await ends(verify('receipt.json'), 0, { out: 'PASS  The chain: attested', last: /^PASS: / });
  const receipt = JSON.parse(readFileSync(join(place.folder, 'receipt.json'), 'utf8'));
  const changed = { ...receipt, canonical_string: `${receipt.canonical_string} Changed.` };
  writeFileSync(join(place.folder, 'changed.json'), JSON.stringify(changed));
  await ends(verify('changed.json'), 1, { last: /^FAIL: / });

  const alone = { folder: newFolder('one-file') };
  for (const name of ['svc.mjs', 'receipt.json', 'changed.json'])
    copyFileSync(join(place.folder, name), join(alone.folder, name));
  const single = (...args: string[]) => journey.run(alone, process.execPath, ['svc.mjs', ...args]);
  expect(readFileSync(join(alone.folder, 'svc.mjs'), 'utf8')).toMatch(/^@noble\/curves .*MIT/m);
  await ends(single('verify', 'receipt.json', '--rpc', rpcUrl), 0, { last: /^PASS: / });
  await ends(single('verify', 'changed.json', '--rpc', rpcUrl), 1, { last: /^FAIL: / });
});
