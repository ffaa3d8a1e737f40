import type { Receipt } from '@svc/protocol';
import sql from 'sql-template-tag';
import type { Tx } from '../../db/db.ts';
import { makeReceipt } from '../../etches/receipt.ts';
import { queryEtches } from '../../etches/store.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { AdminError, EXIT } from '../exit.ts';

/** The proofs must be equal, but the etch may have opened since. @returns 1, for counting */
export async function compareReceipts(tx: Tx, keyring: Keyring, name: string, text: string): Promise<number> {
  const kept = JSON.parse(text) as Receipt;
  const [row] = await queryEtches(tx, sql`where e.id = ${kept.etch_id}`);
  if (!row) throw new AdminError(EXIT.input, `${name} is of an etch that is not in the tables`);
  const view = {
    baseUrl: '',
    keyring,
    officialAccounts: new Set<string>(),
    explorerUrl: undefined,
    attestationExplorerUrl: undefined,
  };
  const {
    name: chainName,
    chain_id: chainId,
    attestation_contract: contract,
    schema_uid: schemaUid,
    relayer,
  } = kept.chain;
  const chain = { name: chainName, embedded: false, chainId, contract, schemaUid, relayer, publicRpcUrl: '' };
  const now = makeReceipt(row, kept.canonical_string === null ? 0 : Date.now(), view, chain);
  for (const part of [
    'etch_id',
    'author',
    'hash',
    'canonical_string',
    'inclusion',
    'revocation',
    'signature',
    'chain',
  ] as const)
    if (JSON.stringify(now[part]) !== JSON.stringify(kept[part]))
      throw new AdminError(EXIT.input, `${name} and the tables of the archive differ in ${part}`);
  return 1;
}
