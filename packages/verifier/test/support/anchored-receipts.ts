import {
  bytesToHex,
  encodeAttestationData,
  hexToBytes,
  type Receipt,
  RECEIPT_FORMAT,
  SCHEMA,
} from '@svc/protocol';
import type { Trust } from '@svc/verifier';
import { afterAll, beforeAll } from 'vitest';
import { type RealEas, startRealEas } from './real-eas.ts';

/** For all tests of a file. */
export function useRealEas(): { readonly eas: RealEas; readonly trust: Trust } {
  let eas: RealEas;
  beforeAll(async () => {
    eas = await startRealEas(SCHEMA);
  });
  afterAll(() => eas.stop());
  return {
    get eas() {
      return eas;
    },
    get trust() {
      const { chainId, contract, schemaUid, relayer } = eas;
      return { chainId, contract, schemaUid, relayers: [relayer] };
    },
  };
}

export const userId = '62f746b4-84e6-4ceb-95bd-447e7184d454';
export const toTime = (seconds: number) => new Date(seconds * 1000).toISOString();
export const attestationData = (root: string, kind: 0 | 1, treeVersion: 0 | 2, treeSize: number) =>
  `0x${bytesToHex(encodeAttestationData({ root: hexToBytes(root), kind, treeVersion, treeSize }))}` as const;

export function receiptOf(
  trust: Trust,
  made: Pick<Receipt, 'hash' | 'inclusion'> & {
    canonical: string;
    attested: string;
    uid: string;
    /** seconds */
    time: number;
  },
): Receipt {
  const { canonical, hash, inclusion, attested, uid, time } = made;
  return {
    _format: RECEIPT_FORMAT,
    _what_this_is: 'a receipt',
    _verify_without_etch: 'https://svc.example/verify',
    etch_id: '11111111-2222-4333-8444-555555555555',
    status: 'revealed',
    author: { user_id: userId, username: 'ada' },
    canonical_string: canonical,
    hash,
    inclusion,
    revocation: null,
    signature: null,
    chain: {
      name: 'test',
      chain_id: trust.chainId,
      attestation_contract: trust.contract,
      schema_uid: trust.schemaUid,
      attestation_uid: uid,
      expect_onchain: attested,
      relayer: trust.relayers[0]!,
      tx_hash: null,
      anchored_at: toTime(time),
    },
  };
}
