import { checksOf, trustOf } from '../outputs.ts';
import {
  type Evidence,
  NOT_SHOWN,
  REQUIREMENTS,
  REQUIREMENTS_LISTED,
  type WitnessFinding,
} from '@svc/verifier/evidence';
import { z } from 'zod';
import { orBadInput } from '../bad-input.ts';
import { findEtchId } from '../find-id.ts';
import { readingTool } from '../tool.ts';
import { evidenceMeaning, NOT_PROVEN } from '../verdict-words.ts';
import { etchName, hex, words } from './inputs.ts';

/** Reading a certificate blocks the event loop for a millisecond. */
const MOST_CERTIFICATES = 8;
const hasFewCertificates = (pem: string): boolean => pem.split('-----BEGIN').length - 1 <= MOST_CERTIFICATES;

export const evidence = readingTool({
  name: 'evidence',
  title: 'Download and check evidence',
  description:
    'Downloads a file that proves an etch by a block hash alone, and checks it with block_hashes that you know from another source, ' +
    'or else with the block hash from the operator’s endpoint. Store the file under "untrusted": ' +
    'svc verify checks it without a network. While a proof is missing, wait in the file gives the reason, and result is wait. ' +
    'Each of witnesses (the chain, a time-stamping authority) passes, fails or waits separately, with the time that it proves.',
  input: {
    id: etchName,
    block_hashes: z
      .array(hex(64, '0x'))
      .min(1)
      .max(8)
      .optional()
      .describe(
        'Hashes of the blocks of attestation and retraction from another source, never from an answer of this service.',
      ),
    require: z
      .array(z.enum(REQUIREMENTS))
      .min(1)
      .max(REQUIREMENTS.length)
      .optional()
      .describe(`The checks that must pass: ${REQUIREMENTS_LISTED}. Default: chain.`),
    tsa_certificates: words(24_576)
      .refine(hasFewCertificates, `at most ${MOST_CERTIFICATES} certificates`)
      .optional()
      .describe(
        'At most 8 certificates of time-stamping authorities that you trust, in PEM, from another source, never from an answer of this service. Omit it if the operator set some.',
      ),
  },
  output: {
    result: 'string',
    meaning: 'string',
    cannot_show: 'string',
    missing: ['string', 'null'],
    checks: 'array',
    witnesses: 'array',
    onchain_time: ['string', 'null'],
    trust: 'object',
    not_proven: 'object',
    untrusted: 'object',
  },
  async run({ id, block_hashes, require, tsa_certificates }, { client, settings }) {
    if (settings.tsaCertificates !== undefined && tsa_certificates !== undefined)
      throw new TypeError('the operator has set the trusted certificates: omit tsa_certificates');
    const timestamps = await timestampCheck(settings.tsaCertificates ?? tsa_certificates);
    const file = await client.evidence(await findEtchId(id, client));
    const { result, trust, verification, receipt, witnesses } = await client.verifyEvidence(file, {
      require,
      timestamps,
      trust: settings.trust,
      blockHashes: block_hashes,
      rpcUrls: settings.rpcUrls,
      fetch: settings.fetch,
    });
    return {
      result,
      meaning: evidenceMeaning(result, trust, witnesses),
      cannot_show: NOT_SHOWN,
      missing: file.wait ?? null,
      checks: checksOf(verification),
      witnesses,
      onchain_time: verification.chain.onchainTimestamp,
      trust: trustOf(trust),
      not_proven: { note: NOT_PROVEN, etch_id: receipt.etch_id, status: receipt.status },
      untrusted: { evidence: file },
    };
  },
});

/** @throws {TypeError} on malformed certificates */
async function timestampCheck(
  pem: string | undefined,
): Promise<((file: Evidence) => Promise<WitnessFinding>) | undefined> {
  if (pem === undefined) return undefined;
  // Half a megabyte, so it is loaded only when needed.
  const { checkTimestamps, readCertificates, TimestampError } = await import('@svc/timestamp');
  const trusted = orBadInput(() => readCertificates(pem), TimestampError, 'the certificates');
  return (file) => checkTimestamps(file, trusted, Date.now());
}
