import { OTS } from '@svc/verifier/evidence';
import { many, read } from '../command.ts';
import { RPC_PATIENCE_MS } from '../find-trust.ts';
import { bitcoinHeader, httpUrl } from '../options.ts';
import { OF_EVIDENCE } from '../verdict-words.ts';
import { isOfHash, type Proof } from './proof.ts';

const options = {
  '--bitcoin-header <hex>': many(
    'for OpenTimestamps: the header of a Bitcoin block that you trust (80 bytes); may be repeated',
    bitcoinHeader,
  ),
  '--bitcoin-rpc <url>': read(
    httpUrl,
    'for OpenTimestamps: a Bitcoin node that you trust, which returns the header of the block',
  ),
};

export const ots: Proof<typeof options> = {
  ...OTS,
  options,
  misuse: ({ bitcoinHeader: headers, bitcoinRpc, offline }) =>
    bitcoinRpc !== undefined &&
    (headers.length > 0 || offline) &&
    'give --bitcoin-header or --bitcoin-rpc, not both; with --offline only --bitcoin-header',
  async check({ evidence }, { bitcoinHeader: headers, bitcoinRpc }) {
    const { checkOts, givenHeaders, noHeaders, rpcHeaders } = await import('@svc/timestamp/ots');
    if (bitcoinRpc !== undefined)
      return checkOts(evidence!, rpcHeaders(bitcoinRpc, { timeoutMs: RPC_PATIENCE_MS }));
    return checkOts(evidence!, headers.length > 0 ? givenHeaders(headers) : noHeaders);
  },
  words: ({ verification }) => ({
    pass: isOfHash(verification)
      ? 'PASS: the hash existed by the time of a Bitcoin block; its words were not checked, and the chain was not required.'
      : 'PASS: the words existed by the time of a Bitcoin block; the chain was not required.',
    ...OF_EVIDENCE,
  }),
};
