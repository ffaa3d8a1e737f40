import type { Verification } from '@svc/verifier';
import {
  blockHashes,
  type Evidence,
  isIn,
  PROOF_KINDS,
  rpcBlocks,
  TSA,
  verifyEvidence,
} from '@svc/verifier/evidence';
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
        const proofs = await judge(file as Evidence, entered('tsaCertificates').trim(), stamps);
        const checks = [...found.checks, ...proofs.flat()] as unknown as Verification['checks'];
        return { ...found, checks };
      },
      asked: (source) =>
        `${
          knowsBlocks
            ? 'Your browser read nothing: it compared the block with the hash that you entered.'
            : `Your browser read only the hash of its block. ${source()}`
        } Evidence cannot show a later revocation.`,
    };
  };

/** Entered certificates require a time stamp. The other kinds need more than a page has. */
function judge(file: Evidence, pem: string, stamps: Stamps | undefined) {
  const checks = PROOF_KINDS.map(async (kind) => {
    const { need, field, title, found } = kind;
    const named = { key: field, title };
    if (kind === TSA && pem !== '' && stamps !== undefined)
      return [{ ...named, ...(await (await stamps()).checkStamps(file, pem)) }];
    if (!isIn(file, kind)) return [];
    const command = `use svc verify --require chain,${need}`;
    const how =
      kind !== TSA
        ? command
        : stamps === undefined
          ? `${command} or the page /verify`
          : 'enter the certificates of the authority that you trust';
    const detail = `The file has ${found}, which was not checked: ${how}.`;
    return [{ ...named, verdict: 'info', word: 'Not checked', badge: 'unjudged', detail, evidence: [] }];
  });
  return Promise.all(checks);
}
