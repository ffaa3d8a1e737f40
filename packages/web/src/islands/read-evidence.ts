import type { Verification } from '@svc/verifier';
import { blockHashes, type Evidence, rpcBlocks, verifyEvidence } from '@svc/verifier/evidence';
import type { EvidenceCheck } from './check-receipt.tsx';
import type { checkStamps } from './timestamps.ts';

type Stamps = () => Promise<{ checkStamps: typeof checkStamps }>;

export const evidenceReader =
  (stamps?: Stamps) =>
  (file: { receipt?: unknown }, entered: (field: string) => string): EvidenceCheck => {
    const hashes = entered('blockHash').match(/[^\s,;]+/g) ?? [];
    const knowsBlocks = hashes.length > 0;
    return {
      receipt: file.receipt,
      knowsBlocks,
      async verify(trust, rpcUrl) {
        const blocks = knowsBlocks ? blockHashes(hashes) : rpcBlocks(trust.chainId, { urls: [rpcUrl] });
        const found = await verifyEvidence(file, trust, blocks);
        const stamp = await judge(file as Evidence, entered('tsaCertificates').trim(), stamps);
        const checks = [...found.checks, ...stamp] as unknown as Verification['checks'];
        return { ...found, checks };
      },
      asked: (source) =>
        knowsBlocks
          ? 'Your browser read nothing: it compared the block with the hash that you entered.'
          : `Your browser read only the hash of its block. ${source()}`,
    };
  };

/** Entered certificates require a time stamp. */
async function judge(file: Evidence, pem: string, stamps: Stamps | undefined) {
  const named = { key: 'timestamp', title: 'The time stamp' };
  if (pem !== '' && stamps !== undefined)
    return [{ ...named, ...(await (await stamps()).checkStamps(file, pem)) }];
  if (!file.witnesses?.some(({ kind }) => kind === 'rfc3161')) return [];
  const how =
    stamps === undefined
      ? 'use svc verify --require chain,tsa or the page /verify'
      : 'enter the certificates of the authority that you trust';
  const detail = `The file has a time stamp of an authority, which was not checked: ${how}.`;
  return [{ ...named, verdict: 'info', badge: 'unjudged', detail, evidence: [] }];
}
