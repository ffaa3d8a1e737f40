import { parseChainInfo, TimelockError } from '@svc/protocol/timelock';
import type { DrandChain } from '@svc/protocol/timelock';

/** Parses the description of a drand chain. @throws {TypeError} when it is malformed */
export function namedChain(value: Record<string, unknown>): DrandChain {
  try {
    return parseChainInfo(value);
  } catch (error) {
    throw error instanceof TimelockError ? new TypeError(`chain: ${error.message}`, { cause: error }) : error;
  }
}
