import { encodeAttestationData, hexToBytes, parseCanonicalString, type Receipt } from '@svc/protocol';
import type { CheckedValue, WitnessCheck } from '@svc/verifier';
import type { Witness } from '@svc/verifier/evidence';

export function stampedData({ hash, inclusion, revocation }: Receipt, of: Witness['of']): Uint8Array {
  const kind = of === 'commitment' ? 0 : 1;
  const tree = kind === 1 && revocation?.kind === 1 ? revocation : inclusion;
  return encodeAttestationData({
    root: hexToBytes(tree?.root ?? hash),
    kind,
    treeVersion: tree?.tree_version ?? 0,
    treeSize: tree?.tree_size ?? 1,
  });
}

export const statedTime = ({ canonical_string }: Receipt): string | undefined =>
  canonical_string === null ? undefined : parseCanonicalString(canonical_string)?.createdAt;

export const notPassed = <Badge extends string>(
  verdict: 'fail' | 'wait',
  badge: Badge,
  detail: string,
  evidence: CheckedValue[] = [],
): WitnessCheck<Badge> => ({ verdict, badge, detail, evidence, time: null });

export const line = (label: string, value: string, copy = false) => ({ label, value, copy });
