import { expect, it } from 'vitest';
import { newReader, signedIn } from '../../../../testing/clients/reader.ts';
import { newAgentKeys } from '../../../../testing/clients/agent-keys.ts';
import { useAda } from './ada.ts';

const { service, ada } = useAda();

it('keys are shown once, work, and are revoked', async () => {
  const made = await ada.send('/account/keys', { name: 'night <report>', scope: 'write' });
  expect([made.status, made.location]).toEqual([303, '/account/keys']);
  // A HEAD request shows nothing and so does not use up the value.
  const asked = { method: 'HEAD', headers: { cookie: ada.cookie() } };
  const head = await fetch(`${service.baseUrl}/account/keys`, asked);
  expect([head.status, head.headers.getSetCookie()]).toEqual([200, []]);
  const shown = await ada.open('/account/keys');
  const value = /svc_sk_[\w-]{50}/.exec(shown.text)![0];
  expect(shown.text).toContain('it is shown this once');
  expect(shown.text).toContain('night &lt;report>');
  expect((await ada.open('/account/keys')).text).not.toContain(value);
  expect([...ada.jar.values()].join()).not.toContain(value);
  const me = () => service.get('/api/v1/me', value);
  expect((await me()).body.user.username).toBe('ada');
  const revoke = /href="(\/account\/keys\/[^"]+\/revoke)"/.exec(shown.text)![1]!;
  expect((await ada.open(revoke)).text).toContain('Revoke this key?');
  expect((await me()).status).toBe(200);
  const gone = await ada.send(revoke, {});
  expect(gone.location).toBe('/account/keys?done=revoked');
  expect((await ada.open(gone.location!)).text).toContain('no longer works');
  expect((await me()).status).toBe(401);
  expect((await ada.send(revoke, {})).status).toBe(404);
});

it('changes the display name and confirms it', async () => {
  const done = await ada.send('/account/name', { display_name: 'Ada of the harbour' });
  const { text } = await ada.open(done.location!);
  expect(text).toMatch(/Your display name is changed[^]*value="Ada of the harbour"/);
  const long = await ada.send('/account/name', { display_name: 'x'.repeat(65) });
  expect(long.status).toBe(400);
  expect(long.text).toMatch(/at most 64 characters[^]*value="x{65}"/);
});

it('copies the social account with the person’s own token', async () => {
  const cara = newReader(service.baseUrl);
  await cara.signIn('cara', { social: 'cara_s' });
  expect((await cara.open('/account')).text).toContain('None is linked');
  const done = await cara.send('/account/social', {});
  expect(done.location).toBe('/account?done=social');
  const page = await cara.open(done.location!);
  expect(page.text).toContain('cara_s');
  expect(page.text).toContain('Your etches are marked as verified');
  expect((await cara.open('/account/limits')).text).toContain('250 left');
});

it('requires a new sign-in if the token is too old', async () => {
  const cara = await signedIn(service, 'cara');
  service.clock.advance(2 * 3_600_000);
  const refused = await cara.send('/account/social', {});
  service.clock.release();
  const text = expect.stringContaining('sign out and in again');
  expect(refused).toMatchObject({ status: 403, text });
});

it('links an agent that signed the request, and unlinks it', async () => {
  const agent = await service.registerAgent();
  const page = await ada.open('/account/agents');
  const [, message, issuedAt] = /(svc-operator:v1\|[0-9a-f-]{36}\|(\d[^<\s]+))/.exec(page.text)!;
  const typed = { public_key: agent.publicKey, issued_at: issuedAt!, signature: agent.sign(message!) };
  const wrong = await ada.send('/account/agents', { ...typed, signature: '00'.repeat(64) });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('<a href="#signature"><bdi>The signature must be');
  expect(wrong.text).toContain(`value="${agent.publicKey}"`);
  const unknown = newAgentKeys();
  const strange = { public_key: unknown.publicKey, signature: unknown.sign(message!) };
  expect((await ada.send('/account/agents', { ...typed, ...strange })).status).toBe(404);
  const linked = await ada.send('/account/agents', typed);
  expect(linked.location).toBe('/account/agents?done=linked');
  expect((await ada.open(linked.location!)).text).toContain(`@${agent.username}`);
  expect((await ada.send('/account/agents', typed)).status).toBe(409);
  const unlinked = await ada.send('/account/agents/unlink', { public_key: agent.publicKey });
  expect(unlinked.location).toBe('/account/agents?done=unlinked');
  expect((await ada.open('/account/agents')).text).toContain('You operate no agent');
});
