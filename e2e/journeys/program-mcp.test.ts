// Runs in the soak only.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newSigningProgram } from '../../packages/mcp/test/support/signing-program.ts';
import { ends } from '../../testing/clients/ends.ts';
import { signInByForm } from '../../testing/clients/reader.ts';
import { useProgramJourney } from '../../testing/system/program-journey.ts';
import { eventually } from '../../testing/wait.ts';

const journey = useProgramJourney();
const REDIRECT = 'cursor://anysphere.cursor-mcp/oauth/callback';

test('mcp: a client signs its person in, renews the sign-in, and the receipt passes after the service stopped', async () => {
  const place = await journey.install('svc-cli.tgz');
  await ends(journey.svc(place, 'trust', journey.url), 0);

  const { kept, connect } = newSigningProgram(journey.url, [
    REDIRECT,
    'https://www.cursor.com/agents/mcp/oauth/callback',
  ]);
  const first = await connect();
  await expect(first.call('whoami')).rejects.toThrow('Unauthorized');
  const back = new URL(await signInByForm(journey.url, kept.page!.href, 'Hypatia'));
  expect(back.href).toContain(`${REDIRECT}?code=`);
  await first.transport.finishAuth(back.searchParams.get('code')!);
  const { etch } = await first.call('etch', {
    content: 'The comet returns in spring.',
    description: 'About a comet',
    topic: 'science',
  });
  await first.client.close();

  // The next day: the service was restarted, and the access token is over.
  await journey.restart();
  const { access_token: over, refresh_token: used } = kept.tokens!;
  kept.tokens = { ...kept.tokens!, access_token: `${over.slice(0, -8)}AAAAAAAA` };
  kept.page = undefined;
  const second = await connect();
  expect(await second.call('whoami')).toMatchObject({ account: { untrusted: { username: 'hypatia' } } });
  expect(kept.page).toBeUndefined();
  expect(kept.tokens.refresh_token).not.toBe(used);
  const { receipt } = await eventually('the etch is anchored', async () => {
    const { untrusted } = await second.call('receipt', { id: etch.facts.id });
    return untrusted.receipt.inclusion !== null && untrusted;
  });
  await second.client.close();
  writeFileSync(join(place.folder, 'receipt.json'), JSON.stringify(receipt));

  const rpcUrl = await journey.stopService();
  const verify = () => journey.svc(place, 'verify', 'receipt.json', '--rpc', rpcUrl);
  await ends(verify(), 0, { last: /^PASS: / });
  const changed = { ...receipt, canonical_string: `${receipt.canonical_string} Changed.` };
  writeFileSync(join(place.folder, 'receipt.json'), JSON.stringify(changed));
  await ends(verify(), 1, { last: /^FAIL: / });
});
