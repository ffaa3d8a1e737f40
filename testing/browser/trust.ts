import type { Page } from 'playwright-core';
import type { Json } from '../json.ts';

export async function publishedTrust(url: string): Promise<Record<string, string>> {
  const { chain }: Json = await (await fetch(`${url}/.well-known/svc.json`)).json();
  return {
    'RPC endpoint': chain.rpc_url,
    'Chain id': String(chain.chain_id),
    'Attestation contract': chain.attestation_contract,
    Schema: chain.schema_uid,
    'Trusted attester': chain.relayers[0],
  };
}

export async function enterTrust(page: Page, trust: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(trust))
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole('button', { name: 'Check again' }).click();
}
