import { flag, type InputOf, many, read } from './command.ts';
import { TRUST } from './find-trust.ts';
import * as parse from './options.ts';

export const VERIFY = {
  ...TRUST,
  '[receipts...]':
    'a receipt or evidence file, - for standard input, or the id, code or url of an etch; several print a line each',
  '--profile <name>':
    'for an id or code: the profile whose service to ask (default: SVC_PROFILE, or the one in use)',
  '--base-url <url>': read(
    parse.httpUrl,
    'for an id or code: the service to ask (default: SVC_BASE_URL, or the profile’s)',
  ),
  '--block-hash <hash>': many(
    'for evidence: a block hash that you trust, so that no endpoint is needed (else --rpc returns the hash only); may be repeated',
    parse.blockHash,
  ),
  '--former':
    'for evidence: check its proof on the first chain, which the service left; trust and block hash are of that chain',
  '--require <what>': read(
    parse.verifyRequirements,
    'the checks that must pass, separated by commas: chain, log (witnesses of the log of trees); for evidence also tsa (a time stamp), ots (OpenTimestamps) (default: chain)',
  ),
  '--tsa-certificates <file>': 'for time stamps: the certificates that you trust, in PEM',
  '--bitcoin-header <hex>': many(
    'for OpenTimestamps: the header of a Bitcoin block that you trust (80 bytes); may be repeated',
    parse.bitcoinHeader,
  ),
  '--bitcoin-rpc <url>': read(
    parse.httpUrl,
    'for OpenTimestamps: a Bitcoin node that you trust, which returns the header of the block',
  ),
  '--policy <file>': 'for the log of trees: the log and the witnesses that you trust (C2SP tlog-policy)',
  '--index-witness <name>': many(
    'with --policy: a witness of the policy that recomputes the index of accounts, by its name there; may be repeated',
  ),
  '--against-index':
    'check that the index of accounts of the service has the etch; else write svc-omission-<hash>.json, which proves the omission',
  '--tlog-proof <file>': 'the proof that svc receipt --tlog-proof wrote',
  '--author-key <hex>': read(
    parse.publicKey,
    'the author’s public key that you trust; check that it signed the words',
  ),
  '--promise <file>': 'check the promise that svc etch --save wrote',
  '--promise-nonce <hex>': read(parse.nonce, 'the nonce of the promise, if the file does not have it'),
  '--promise-content <file>': 'the text that was sent, if the promise file does not have it',
  '--promise-key <hex>': many('trusted promise key; may be repeated', parse.publicKey),
  '--files <path>': many('check that the words commit to this file or folder; may be repeated'),
  '--manifest <file>': 'the manifest that svc etch --files wrote',
  '--disclosure <file>': 'the disclosure of one file (svc files disclose)',
  '--json': flag('print the verification as JSON'),
  '--offline': flag('use no network: check only the words and the tree'),
};
export type VerifyOptions = Omit<InputOf<typeof VERIFY>, 'receipts' | 'baseUrl'> & { baseUrl: string };
