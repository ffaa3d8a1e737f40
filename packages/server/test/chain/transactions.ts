import { encodeAbiParameters } from 'viem';
import type { AttestationRequest, Chain, Hex, Receipt } from '../../src/chain/port.ts';
import { eventually } from '../../../../testing/wait.ts';

let count = 0;
export function request(more: Partial<AttestationRequest> = {}): AttestationRequest {
  const root: Hex = `0x${(++count).toString(16).padStart(64, '0')}`;
  const data = encodeAbiParameters(
    [{ type: 'bytes32' }, { type: 'uint8' }, { type: 'uint8' }, { type: 'uint32' }],
    [root, 0, 2, 7],
  );
  return { data, revocable: false, ...more };
}

export async function signNext(chain: Chain, calldata: Hex): Promise<{ raw: Hex; hash: Hex }> {
  const gas = await chain.estimateGas(calldata);
  return chain.sign({ ...(await chain.fees()), nonce: await chain.minedNonce(), calldata, gas });
}

export async function mined(chain: Chain, hash: Hex): Promise<Receipt> {
  return eventually(`${hash} is mined`, () => chain.receipt(hash), { everyMs: 25, despiteErrors: true });
}

export async function transact(chain: Chain, calldata: Hex): Promise<Receipt> {
  const { raw, hash } = await signNext(chain, calldata);
  const { outcome } = await chain.send(raw);
  if (outcome !== 'accepted') throw new Error(outcome);
  return mined(chain, hash);
}
