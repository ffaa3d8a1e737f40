import { parseReceipt, type Receipt, verifySignature } from '@svc/protocol';
import { checkBatch } from './batch.ts';
import { type ChainReader, readAttestation } from './chain-reader.ts';
import { checkChain } from './chain.ts';
import { checkRevocation } from './revocation.ts';
import { normalizeTrust, type Trust } from './trust.ts';
import { summarize, type Verification } from './verification.ts';
import { checkWords, type SignatureCheck } from './words.ts';

/**
 * An endpoint that is down, slow or wrong gives `wait` (docs/specification.md#verification).
 * @param trust never taken from the receipt
 * @throws {ReceiptError} when the receipt is malformed
 * @throws {TypeError} when the trust is malformed
 * @example
 * const chain = rpcChain({ urls: ['http://127.0.0.1:8545'] });
 * overall(await verifyReceipt(receipt, trust, chain)); // 'pass'
 */
export async function verifyReceipt(
  receipt: Receipt,
  trust: Trust,
  chain: ChainReader,
): Promise<Verification> {
  return verifyReceiptWith(verifySignature, receipt, trust, chain);
}

/**
 * As `verifyReceipt`. With its own signature check, a page loads Ed25519 only when needed.
 * @throws {ReceiptError} when the receipt is malformed
 * @throws {TypeError} when the trust is malformed
 * @example
 * let asked = 0;
 * const counted = (input) => {
 *   asked++;
 *   return verifySignature(input);
 * };
 * overall(await verifyReceiptWith(counted, receipt, trust, chain)); // 'pass'
 * asked; // 1
 */
export async function verifyReceiptWith(
  signatureCheck: SignatureCheck,
  receipt: Receipt,
  trust: Trust,
  chain: ChainReader,
): Promise<Verification> {
  const etch = parseReceipt(receipt);
  const trusted = normalizeTrust(trust);

  const words = checkWords(etch, signatureCheck);
  const batch = checkBatch(etch);
  const [commitment, tombstone] = await Promise.all([
    readAttestation(chain, trusted, etch.chain.attestation_uid),
    readAttestation(chain, trusted, etch.revocation?.kind === 1 ? etch.revocation.attestation_uid : null),
  ]);
  const revocation = checkRevocation(etch, trusted, commitment, tombstone);
  const found = checkChain(etch, trusted, commitment, words.createdAt, revocation);

  return summarize(etch, { words, batch, chain: found, revocation, commitment });
}
