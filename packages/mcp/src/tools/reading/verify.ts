import { z } from 'zod';
import { Receipt } from '@svc/contract';
import { findEtchId } from '../../find-id.ts';
import { checks, onchainTime, result as verdict, trust as trusted, warning } from '../../outputs.ts';
import { fieldsOf, object, oneOf, orNull, pick, text } from '../../schema.ts';
import { readingTool } from '../../tool.ts';
import { WARNING } from '../../untrusted.ts';
import { meaning, NOT_PROVEN } from '../../verdict-words.ts';
import { etchName } from '../inputs.ts';

const receipt = fieldsOf(Receipt);
const output = object({
  warning,
  result: verdict,
  meaning: text('What the result says, in a sentence.'),
  hash: receipt['hash']!,
  checks,
  'author?': object({ verdict, detail: text('What was found.') }),
  onchain_time: onchainTime,
  trust: object({
    ...trusted,
    source: oneOf('operator', 'service'),
    said_by: text('Whose word the values are.'),
    chain_read_through: text('Whose endpoint was asked.'),
    checked_by: text('Who computed the checks.'),
  }),
  not_proven: object({
    note: text('What stands here only.'),
    ...pick(receipt, 'etch_id', 'status'),
    retracted_at: orNull(text('When, as the receipt says.')),
    signed_by_key: orNull(text('The key of the signature.')),
  }),
  untrusted: object({
    username: fieldsOf(receipt['author']!)['username']!,
    canonical_string: receipt['canonical_string']!,
  }),
});

export const verify = readingTool({
  name: 'verify',
  title: 'Verify an etch against the chain',
  description:
    'Takes the receipt and checks it: the words make the hash, the hash is in the tree, the tree is attested on the chain. ' +
    'result is pass, fail or wait: not known yet, or checked only against what the service says of itself (trust.pinned is ' +
    'false), which proves nothing. author_key, when you know it from elsewhere, checks that the author signed.',
  input: {
    id: etchName,
    author_key: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .optional()
      .describe(
        'The Ed25519 key of the author as you know it, 64 hex digits: never one out of an answer of this service.',
      ),
  },
  output,
  async run({ id: named, author_key }, { client, settings }) {
    const id = await findEtchId(named, client);
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
