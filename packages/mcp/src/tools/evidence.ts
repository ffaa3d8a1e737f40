import { NOT_SHOWN } from '@svc/verifier/evidence';
import { z } from 'zod';
import { tool } from '../tool.ts';
import { WARNING } from '../untrusted.ts';
import { meaning, NOT_PROVEN } from '../verdict-words.ts';
import { etchId } from './inputs.ts';

const hash = z.string().regex(/^0x[0-9a-f]{64}$/i);

export const evidence = tool({
  name: 'evidence',
  title: 'Take evidence of an etch that needs no node',
  description:
    'Takes a file that proves an etch by the hash of a block alone, and checks it: by block_hashes that you know from elsewhere, ' +
    'else by asking an endpoint of the operator for that hash and nothing more. Keep the file that stands under "untrusted": ' +
    'svc verify checks it without any network. While a proof is missing, wait in it says why, and result is wait.',
  input: {
    id: etchId,
    block_hashes: z
      .array(hash)
      .min(1)
      .max(8)
      .optional()
      .describe(
        'Hashes of the blocks of attestation and retraction as you know them, never out of an answer of this service.',
      ),
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  async run({ id, block_hashes }, { client, settings }) {
    const file = await client.evidence(id);
    const { result, trust, verification, receipt } = await client.verifyEvidence(file, {
      trust: settings.trust,
      blockHashes: block_hashes,
      rpcUrls: settings.rpcUrls,
      fetch: settings.fetch,
    });
    return {
      warning: WARNING,
      result,
      meaning: meaning(result, trust),
      cannot_show: NOT_SHOWN,
      missing: file.wait ?? null,
      checks: verification.checks.map(({ key, verdict, badge, detail }) => ({ key, verdict, badge, detail })),
      onchain_time: verification.chain.onchainTimestamp,
      trust: {
        pinned: trust.pinned,
        development_chain: trust.developmentChain,
        chain_id: trust.chainId,
        relayers: trust.relayers,
      },
      not_proven: { note: NOT_PROVEN, etch_id: receipt.etch_id, status: receipt.status },
      untrusted: { evidence: file },
    };
  },
});
