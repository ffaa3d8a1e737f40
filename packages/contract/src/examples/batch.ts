import type { Batch, BatchDetail } from '../resources/chain.ts';
import type { CursorPage } from '../resources/page.ts';
import * as world from './shared-values.ts';

export const cursorPage: CursorPage = { limit: 30, has_more: false, next_cursor: null };

export const batch: Batch = {
  root: world.root,
  kind: 0,
  tree_version: 2,
  tree_size: 2,
  attestation_uid: world.uid,
  tx_hash: world.txHash,
  anchored_at: world.anchoredAt,
};

export const batchDetail: BatchDetail = {
  ...batch,
  leaves: [
    { user_id: world.adaId, hash: world.hash },
    { user_id: world.botId, hash: world.otherHash },
  ],
};
