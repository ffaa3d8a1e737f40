import { command, type InputOf, many, read } from '../command.ts';
import { type Context, type Shown, when } from '../context.ts';
import {
  judgedWords,
  namedChain,
  openBlindSeal,
  openedWords,
  parsedChain,
  readBeacon,
  readChainInfo,
} from '../open-blind.ts';
import { readJsonFile } from '../input-file.ts';
import { EXIT, parsed, usageError } from '../exit.ts';
import { existsSync } from 'node:fs';
import { type Receipt, RECEIPT_FORMAT } from '@svc/protocol';
import type { DrandChain, Opening } from '@svc/protocol/timelock';
import { isEvidence } from '../proofs/chain.ts';
import { loadReceipt, readReceipt } from '../load-receipt.ts';
import { httpUrl, JSON_OUTPUT, publicKey } from '../options.ts';
import { writeOut } from '../out-file.ts';
import { listPins, pinsPath } from '../pins.ts';
import { promisedOpening } from '../proofs/promise.ts';
import { openSession } from '../session.ts';

const INPUT = {
  '<what>': 'the file that svc opening wrote; for a blind seal its receipt, id, code or url',
  '--beacon <hex>': 'the signature of the round, as published by the drand chain',
  '--drand <url>': read(
    httpUrl,
    'read the signature from this relay of the drand chain (https://api.drand.sh)',
  ),
  '--profile <name>': 'for a blind seal: read the round from the service of this profile',
  '--base-url <url>': read(httpUrl, 'for a blind seal: read the round from this service'),
  '--chain <file>': 'a drand chain other than quicknet; the file has what its relay answers at /<hash>/info',
  '--promise-key <hex>': many('trusted promise key of the service; may be repeated', publicKey),
  '--promise <file>':
    'the promise that svc etch --save wrote; check that the opening has the promised hash and time',
  '--receipt <file>': 'the etch’s receipt from before the reveal; check that it has the same hash',
  '--out <file>': 'with --receipt: write the receipt with the opened words to this file, for svc verify',
  ...JSON_OUTPUT,
};
type OpenOptions = InputOf<typeof INPUT>;

export const openCommand = command(
  'open',
  'open a sealed etch with its opening, or a blind seal, once its drand round is published',
  {
    input: INPUT,
    above: `
Exit status:
  ${EXIT.pass}   it opens, and the words have the hash in the opening and in the receipt
  ${EXIT.fail}   it was changed, or contains other words; if a key that you trust signed it, the service broke its promise
  ${EXIT.wait}   the round is not published yet, the given signature is not that of the round, or the opening differs from
      the receipt, or from a promise by a key that you did not pin`,
    examples: [
      'svc open abc234                                        # a blind seal',
      'svc open receipt.json --drand https://api.drand.sh     # the same, without the service',
      'svc open opening.json --drand https://api.drand.sh',
      'svc open opening.json --beacon b44679b9…',
      'svc open opening.json --drand https://api.drand.sh --receipt receipt.json --out opened.json',
      'svc verify opened.json',
    ],
    run: open,
  },
);

async function open(options: OpenOptions, context: Context): Promise<Shown> {
  const { what: target } = options;
  const isFile = existsSync(target);
  const value = isFile ? await readJsonFile(target) : undefined;
  if (isFile && !isReceipt(value)) return openFile(value, options, context);
  if (options.receipt !== undefined || options.out !== undefined || options.promiseKey.length > 0)
    throw usageError('--receipt, --out and --promise-key require a file that svc opening wrote');
  const { baseUrl } = openSession(options, context.env);
  const loaded = isFile ? { value, service: null, etchId: null } : await loadReceipt(target, baseUrl, false);
  const { chain } = await namedChain(options.chain);
  const origin = loaded.service ?? new URL(baseUrl).origin;
  return openBlindSeal({ ...loaded, origin }, chain, options);
}

const isReceipt = (value: unknown): boolean =>
  isEvidence(value) || (value as { _format?: unknown } | null)?._format === RECEIPT_FORMAT;

async function openFile(value: unknown, options: OpenOptions, { env }: Context): Promise<Shown> {
  if (options.out !== undefined && options.receipt === undefined)
    throw usageError('--out requires --receipt, the receipt to write with its words');
  const [timelock, { checkOpening }] = await Promise.all([
    import('@svc/protocol/timelock'),
    import('@svc/verifier/opening'),
  ]);
  const parse = () => timelock.parseOpening(value);
  const opening = parsed(parse, timelock.TimelockError, 'FAIL: not a valid opening', EXIT.fail);
  let chain: DrandChain = timelock.QUICKNET;
  if (options.chain !== undefined) chain = parsedChain(await readJsonFile(options.chain), timelock);
  else if (opening.chain_hash !== chain.hash && options.drand !== undefined)
    chain = parsedChain(await readChainInfo(options.drand, opening.chain_hash), timelock);
  const signature =
    options.beacon?.toLowerCase() ??
    (options.drand === undefined ? null : await readBeacon(options.drand, opening.chain_hash, opening.round));
  const pinned = listPins(pinsPath(env)).flatMap(({ pin }) => pin.promiseKeys);
  const keys = options.promiseKey.length > 0 ? options.promiseKey : pinned;
  const check = checkOpening(
    opening,
    { keys, pinned: keys.length > 0 },
    chain,
    signature,
    await promisedOpening(options.promise),
  );
  const { parts, canonicalString } = check;
  const { out } = options;
  const file = options.receipt === undefined ? null : await readJsonFile(options.receipt);
  const receipt =
    parts === null || file === null ? null : readReceipt((file as { receipt?: unknown }).receipt ?? file);
  const fault = receipt && faultOf(receipt, opening, parts?.userId);
  if (receipt !== null && fault === null && out !== undefined) {
    const opened = { ...receipt, status: 'revealed', canonical_string: canonicalString };
    writeOut(out, receipt.status === 'retracted' ? receipt : opened);
  }
  const next =
    receipt === null
      ? 'The receipt or evidence of the etch shows when this hash was committed (--receipt, svc verify).'
      : out === undefined
        ? 'The receipt has the same hash. With --out, svc writes it with the words, for svc verify.'
        : `${out} has the words; check it with svc verify ${out}`;
  // A receipt alone proves nothing, so it cannot decide against the opening.
  const result = fault === null || check.verdict === 'fail' ? check.verdict : 'wait';
  const { etch_id, hash, round } = opening;
  return {
    value: { result, check, fault, opening: { etch_id, hash, round } },
    words: [
      ...judgedWords(opening, check),
      ...when(fault !== null, `WAIT  ${fault}`),
      ...(parts === null ? [] : openedWords(parts, next)),
    ],
    status: EXIT[result === 'info' ? 'pass' : result],
  };
}

/** Why the words do not belong to the receipt. */
function faultOf({ hash, author }: Receipt, opening: Opening, userId: string | undefined): string | null {
  const check = 'svc verify checks which of them is committed.';
  if (hash !== opening.hash) return `The receipt has a different hash, ${hash}: ${check}`;
  return author.user_id === userId ? null : `The receipt has a different author, ${author.user_id}: ${check}`;
}
