import { tool } from '../tool.ts';
import { WARNING } from '../untrusted.ts';
import { etchId } from './inputs.ts';

export const verify = tool({
  name: 'verify',
  title: 'Verify an etch against the chain',
  description:
    'Takes the receipt and checks it: the words make the hash, the hash is in the tree, the tree is attested on the chain. ' +
    'result is pass, fail or wait (not known yet: try again later); trust says whom it rests on.',
  input: { id: etchId },
  annotations: { readOnlyHint: true, openWorldHint: true },
  async run({ id }, { client, settings }) {
    const needed = settings.trust === undefined || settings.rpcUrls.length === 0;
    const facts = needed ? await client.facts() : undefined;
    const rpcUrls =
      settings.rpcUrls.length > 0 ? settings.rpcUrls : [facts?.rpcUrl].filter((url) => url != null);
    if (rpcUrls.length === 0) throw new TypeError('no endpoint of the chain is known: set SVC_RPC_URL');
    const trust = settings.trust ?? facts!.trust;
    const { result, verification, receipt } = await client.verify(id, {
      trust,
      rpcUrls,
      fetch: settings.fetch,
    });
    return {
      warning: WARNING,
      result,
      status: receipt.status,
      hash: receipt.hash,
      checks: verification.checks.map(({ key, verdict, badge, detail }) => ({ key, verdict, badge, detail })),
      onchain_time: verification.chain.onchainTimestamp,
      trust: {
        chain_id: trust.chainId,
        relayers: trust.relayers,
        said_by: settings.trust === undefined ? 'the service itself' : 'the operator',
        chain_read_through:
          settings.rpcUrls.length === 0 || settings.perRequest
            ? 'the endpoint the service names'
            : 'the operator’s endpoint',
        checked_by: settings.perRequest
          ? 'the service itself: for a check of your own, give the receipt to svc verify or svc-mcp on your machine'
          : 'this MCP server, apart from the service',
      },
      untrusted: { canonical_string: receipt.canonical_string },
    };
  },
});
