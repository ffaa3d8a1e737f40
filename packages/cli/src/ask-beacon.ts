import { isHex } from '@svc/protocol';
import { awayError, inputError } from './exit.ts';
import { inTime } from './in-time.ts';

const PATIENCE_MS = 10_000;
const MOST_BYTES = 65_536;

/** Unverified; null if the relay lacks it. */
export async function readBeacon(relay: string, chainHash: string, round: number): Promise<string | null> {
  const value = await ask(relay, `/${chainHash}/public/${round}`);
  const signature = (value as { signature?: unknown } | null)?.signature;
  return isHex(signature, 48) ? signature : null;
}

export async function readChainInfo(relay: string, chainHash: string): Promise<unknown> {
  const info = await ask(relay, `/${chainHash}/info`);
  if (info === null)
    throw inputError(
      `the drand relay ${relay} does not have the chain ${chainHash}; name a relay of that chain with --drand`,
    );
  return info;
}

async function ask(relay: string, path: string): Promise<unknown> {
  const url = `${relay.replace(/\/+$/, '')}${path}`;
  try {
    return await inTime(PATIENCE_MS, async (signal) => {
      const response = await fetch(url, { redirect: 'error', signal });
      if (!response.ok) return null;
      const text = await response.text();
      return text.length > MOST_BYTES ? null : (JSON.parse(text) as unknown);
    });
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw awayError(`${url} cannot be reached; name another drand relay with --drand`);
  }
}
