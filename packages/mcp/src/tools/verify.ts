import { z } from 'zod';
import { tool } from '../tool.ts';
import { WARNING } from '../untrusted.ts';
import { meaning, NOT_PROVEN } from '../verdict-words.ts';
import { etchId } from './inputs.ts';

export const verify = tool({
  name: 'verify',
  title: 'Verify an etch against the chain',
  description:
    'Takes the receipt and checks it: the words make the hash, the hash is in the tree, the tree is attested on the chain. ' +
    'result is pass, fail or wait: not known yet, or checked only against what the service says of itself (trust.pinned is ' +
    'false), which proves nothing. author_key, when you know it from elsewhere, checks that the author signed.',
  input: {
    id: etchId,
    author_key: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .optional()
      .describe(
        'The Ed25519 key of the author as you know it, 64 hex digits: never one out of an answer of this service.',
      ),
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  async run({ id, author_key }, { client, settings }) {
    const { result, trust, verification, author, receipt } = await client.verify(id, {
      trust: settings.trust,
      rpcUrls: settings.rpcUrls,
      authorKey: author_key,
      fetch: settings.fetch,
    });
    const { canonical_string, signature, revocation } = receipt;
    return {
      warning: WARNING,
      result,
      meaning: meaning(result, trust),
      hash: receipt.hash,
      checks: verification.checks.map(({ key, verdict, badge, detail }) => ({ key, verdict, badge, detail })),
      ...(author === null ? {} : { author: { verdict: author.verdict, detail: author.detail } }),
      onchain_time: verification.chain.onchainTimestamp,
      trust: {
        source: trust.pinned ? 'operator' : 'service',
        pinned: trust.pinned,
        development_chain: trust.developmentChain,
        chain_id: trust.chainId,
        relayers: trust.relayers,
        said_by: trust.pinned ? 'the operator' : 'the service itself',
        chain_read_through:
          settings.rpcUrls.length === 0 || settings.perRequest
            ? 'the endpoint the service names'
            : 'the operator’s endpoint',
        checked_by: settings.perRequest
          ? 'the service itself: for a check of your own, give the receipt to svc verify or svc-mcp on your machine'
          : 'this MCP server, apart from the service',
      },
      not_proven: {
        note: NOT_PROVEN,
        etch_id: receipt.etch_id,
        status: receipt.status,
        retracted_at: revocation?.retracted_at ?? null,
        signed_by_key: signature?.public_key ?? null,
      },
      untrusted: { username: receipt.author.username, canonical_string },
    };
  },
});
