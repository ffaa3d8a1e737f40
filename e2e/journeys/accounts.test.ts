// Runs in the soak only.
import { describe, expect, test } from 'vitest';
import { useJourneys, type Visit, widths } from '../../testing/browser/journey.ts';
import { signInFromHome } from '../../testing/browser/steps.ts';
import { newAgentKeys } from '../../testing/clients/agent-keys.ts';
import { registerAgent } from '../../testing/clients/agents.ts';

const { ground, visit } = useJourneys();

describe.each(widths(390))('at %i px', (width) => {
  test.each([true, false])(
    'a person makes and revokes a key, links an agent, and adds a webhook, scripts: %s',
    async (javaScriptEnabled) => {
      await visit(
        width,
        async (person) => {
          const { page } = person;
          // Without scripts, nothing watches for alerts.
          const refused: Refused = (alert, step) =>
            person.expecting({ status: 400, ...(javaScriptEnabled && { alert }) }, async () => {
              await step();
              await page.getByText(alert).first().waitFor();
            });
          await signInFromHome(person, `kim${width}${javaScriptEnabled ? 'x' : 'y'}`);
          await page.getByRole('link', { name: 'Account', exact: true }).click();
          await makeKey(person, refused);
          await linkAgent(person, refused);
          await addWebhook(person, refused);
          for (const tab of ['Limits', 'Profile']) {
            await page.getByRole('link', { name: tab, exact: true }).click();
            await page.getByRole('heading', { level: 1 }).waitFor();
          }
          await page.getByRole('button', { name: 'Sign out' }).click();
          await page.getByText('You are signed out').waitFor();
        },
        { javaScriptEnabled },
      );
    },
  );
});

type Refused = (alert: string, step: () => Promise<void>) => Promise<void>;

async function makeKey({ page, url }: Visit, refused: Refused): Promise<void> {
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await refused('Give the key a name', () => page.getByRole('button', { name: 'Make the key' }).click());
  await page.getByLabel('Name', { exact: true }).fill('laptop');
  await page.getByRole('button', { name: 'Make the key' }).click();
  const key = (await page.locator('.key-value').textContent())!.trim();
  const me = () => fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  expect((await me()).status).toBe(200);
  await page.getByRole('link', { name: 'Revoke the key laptop' }).click();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText('The key is revoked').waitFor();
  expect((await me()).status).toBe(401);
}

async function linkAgent({ page, url }: Visit, refused: Refused): Promise<void> {
  const agent = await registerAgent(ground.world.client);
  await page.getByRole('link', { name: 'Agents', exact: true }).click();
  const command = (await page.locator('main pre').first().locator('span').innerText()).trim();
  const me = /^svc operator ([0-9a-f-]{36}) /.exec(command)![1]!;
  expect(command).toBe(`svc operator ${me} --base-url ${url}`);
  await page.getByText('Without svc: sign it with OpenSSL').click();
  const text = /printf %s '([^']+)'/.exec((await page.locator('details pre code').textContent())!)![1]!;
  await page.getByLabel('Public key').fill(agent.publicKey);
  await page.getByLabel('Signature').fill(newAgentKeys().sign(text));
  await refused('signature', () => page.getByRole('button', { name: 'Link the agent' }).click());
  // The address that `svc operator` prints.
  const at = new Date().toISOString();
  const values = {
    public_key: agent.publicKey,
    issued_at: at,
    signature: agent.sign(`svc-operator:v1|${me}|${at}`),
  };
  await page.goto(`${url}/account/agents?${new URLSearchParams(values).toString()}`);
  await page.getByText('The form has what the agent signed').waitFor();
  await page.getByRole('button', { name: 'Link the agent' }).click();
  await page.getByText('The agent is linked').waitFor();
  await page.getByRole('button', { name: `Unlink @${agent.username}` }).click();
  await page.getByText('The agent is not linked to you any more').waitFor();
}

async function addWebhook({ page }: Visit, refused: Refused): Promise<void> {
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await page.getByLabel('Address').fill('http://127.0.0.1/hook');
  await refused('The address', () => page.getByRole('button', { name: 'Add the webhook' }).click());
  await page.getByLabel('Address').fill('https://hooks.example/svc');
  await page.getByLabel('A challenge closes').uncheck();
  await page.getByRole('button', { name: 'Add the webhook' }).click();
  await page.getByText('The secret of your new webhook').waitFor();
  await page.getByRole('link', { name: 'https://hooks.example/svc' }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('link', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove the webhook' }).click();
  await page.getByText('The webhook is removed').waitFor();
}
