import { encodeAttestationData, hexToBytes } from '@svc/protocol';
import type { Receipt } from '@svc/protocol';
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
