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
  meaning: text('The meaning of the result in a sentence.'),
  hash: receipt['hash']!,
  checks,
  'author?': object({ verdict, detail: text('What was found.') }),
  onchain_time: onchainTime,
  trust: object({
    ...trusted,
    source: oneOf('operator', 'service'),
    said_by: text('The source of the trusted values.'),
    chain_read_through: text('The endpoint that returned the chain data.'),
    checked_by: text('The program that ran the checks.'),
  }),
  not_proven: object({
    note: text('Why these fields are not proven.'),
    ...pick(receipt, 'etch_id', 'status'),
    retracted_at: orNull(text('The time that the receipt states.')),
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
    'Downloads the receipt and checks that the words have the hash, that the hash is in the tree, and that the tree is attested on the chain. ' +
    'result is pass, fail or wait. wait: not known yet, or checked only against values that the service publishes (trust.pinned is ' +
    'false), which proves nothing. With author_key from another source it checks that the author signed. ' +
    'For a receipt file, run svc verify.',
  input: {
    id: etchName,
    author_key: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .optional()
      .describe(
        'The author’s Ed25519 public key, 64 hex digits, from another source, never from an answer of this service.',
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
            ? 'the endpoint that the service names'
            : 'the operator’s endpoint',
        checked_by: settings.perRequest
          ? 'the service itself; for an independent check, run svc verify or svc-mcp on your machine'
          : 'this MCP server, independently of the service',
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
