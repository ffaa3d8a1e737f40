import { randomBytes } from 'node:crypto';
import {
  armor,
  type Opening,
  OPENING_NOTE,
  OPENING_TAG,
  openingText,
  parseChainInfo,
  timelockEncrypt,
} from '@svc/protocol/timelock';
import { localChain } from '../../../../testing/beacon/chain.mjs';
import { newAgentKeys } from '../../../../testing/clients/agent-keys.ts';

const chain = parseChainInfo(localChain({ genesis: 1_700_000_000, period: 1 }).info);

export function signedOpening(): Opening {
  const key = newAgentKeys();
  const parts = {
    etch_id: 'ba2700ee-b11f-45fe-a934-06098975d379',
    hash: 'ab'.repeat(32),
    chain_hash: chain.hash,
    round: 7,
    ciphertext: armor(timelockEncrypt(chain, 7, new Uint8Array(200), randomBytes(48))),
  };
  const signature = key.sign(openingText(parts));
  const tag = { _format: OPENING_TAG, _what_this_is: OPENING_NOTE } as const;
  return { ...tag, ...parts, public_key: key.publicKey, signature };
}
