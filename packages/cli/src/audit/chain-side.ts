import { AttestedTrees } from '@svc/verifier';
import type { LogReader, Trust } from '@svc/verifier';

/** A service's attestations on the chain, read up to a block. */
export interface ChainSide {
  trees: AttestedTrees;
  /** the first block not read yet */
  next: number;
  /** number of attestations under the schema by untrusted attesters */
  strangers: number;
}

export const emptyChainSide = (first: number): ChainSide => ({
  trees: new AttestedTrees(),
  next: first,
  strangers: 0,
});

/**
 * Reads further, up to a block. The state is consistent after each range, so that it can be stored.
 * @throws {ChainUnreadable}
 */
export async function readOn(
  side: ChainSide,
  reader: LogReader,
  trust: Trust,
  to: number,
  afterRange: () => void,
): Promise<void> {
  for await (const range of reader.attested(side.next, to)) {
    const trusted = range.logs.filter(({ attester }) => trust.relayers.includes(attester));
    for (const attestation of await reader.attestations(trusted)) side.trees.add(attestation);
    side.strangers += range.logs.length - trusted.length;
    side.next = range.to + 1;
    afterRange();
  }
}
