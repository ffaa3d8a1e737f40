import { type DrandChain, parseChainInfo, TimelockError } from '@svc/protocol/timelock';

/** @throws {TypeError} when the description is malformed */
export function namedChain(value: Record<string, unknown>): DrandChain {
  try {
    return parseChainInfo(value);
  } catch (error) {
    throw error instanceof TimelockError ? new TypeError(`chain: ${error.message}`, { cause: error }) : error;
  }
}
