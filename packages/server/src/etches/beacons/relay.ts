import { isHex } from '@svc/protocol';
import { type DrandChain } from '@svc/protocol/timelock';
import { asObject, readBounded } from '../../platform/outgoing/bounded-fetch.ts';

const MOST_BYTES = 16 * 1024;

export class RelayFault extends Error {
  override name = 'RelayFault';
}

export async function queryRelay(
  relay: string,
  chain: DrandChain,
  round: number,
  signal: AbortSignal,
): Promise<string> {
  const url = new URL(relay);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${chain.hash}/public/${round}`;
  let text: string;
  try {
    const response = await fetch(url, { redirect: 'error', signal, headers: { accept: 'application/json' } });
    if (!response.ok) {
      await response.body?.cancel();
      throw new RelayFault(`it answered ${response.status}`);
    }
    text = await readBounded(response, MOST_BYTES);
  } catch (error) {
    if (error instanceof RelayFault) throw error;
    throw new RelayFault(
      signal.aborted ? 'it did not answer in time' : 'it cannot be reached, or its answer is too long',
    );
  }
  const answer = asObject(parsed(text));
  if (answer?.['round'] !== round) throw new RelayFault('it answered a different round, or none');
  if (!isHex(answer['signature'], 48)) throw new RelayFault('its signature is not 96 lower-case hex digits');
  return answer['signature'];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
