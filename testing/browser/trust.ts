import type { Page } from 'playwright-core';

export async function publishedTrust(url: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/.well-known/svc.json`);
  const { chain } = (await answer.json()) as {
    chain: {
      rpc_url: string;
      chain_id: number;
      attestation_contract: string;
      schema_uid: string;
      relayers: [string];
    };
  };
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
