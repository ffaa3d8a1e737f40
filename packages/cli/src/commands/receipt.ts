import { type Client, WaitError } from '@svc/sdk';
import { asIs, command, needed, read } from '../command.ts';
import { type Context, say, type Shown } from '../context.ts';
import { EXIT, parsed, usageError, waitError } from '../exit.ts';
import { fetchTlogProof } from '../proofs/log.ts';
import { ETCH, openEtch } from '../find-named.ts';
import { noteMissingPin } from '../make-etch.ts';
import { namedChain } from '../open-blind.ts';
import { count, requirements, SERVICE } from '../options.ts';
import { writeOut, writeOutBytes } from '../out-file.ts';
import { promisedOpening } from '../proofs/promise.ts';
import { type Evidence, missingProofs, type Requirement, REQUIREMENTS_LISTED } from '@svc/verifier/evidence';
import { hexToBytes, type Receipt } from '@svc/protocol';
import { MAX_RECEIPT_BYTES } from '@svc/verifier';
import { readIndexOf } from '../audit/index-command.ts';

export const receiptCommand = command(
  'receipt',
  'download the receipt of an etch, for verification without the service',
  {
    input: {
      ...SERVICE,
      ...ETCH,
      '--out <file>': 'write it to this file',
      '--index':
        'with all entries of the author in the index of accounts, by which svc verify says "etch 17 of 20"',
      '--ots <file>':
        'write an OpenTimestamps proof of the canonical string instead, for `ots verify` and others',
      '--tlog-proof <file>': 'write the proof that the log of trees has the etch instead (C2SP tlog-proof)',
    },
    examples: [
      'svc receipt abc234 --out receipt.json',
      'svc receipt abc234 --ots abc234.ots',
      'svc verify receipt.json --rpc http://127.0.0.1:8545',
    ],
    async run({ out, index, ots, tlogProof, ...options }, context) {
      if ([ots, out, tlogProof].filter((one) => one !== undefined).length > 1)
        throw usageError('give one of --out, --ots and --tlog-proof');
      if (index === true && (ots ?? tlogProof) !== undefined) throw usageError('--index requires a receipt');
      const { client, id } = await openEtch(options, context);
      if (ots !== undefined) return exportOtsFile(client, id, ots);
      if (tlogProof !== undefined) {
        const proof = await fetchTlogProof(client.origin, id);
        if (proof === null)
          throw waitError('the log of the service has no tree with this etch yet: try again later');
        writeOutBytes(tlogProof, proof);
        return { value: { file: tlogProof }, words: [tlogProof] };
      }
      const plain = await client.receipt(id);
      const receipt = index === true ? await withIndex(client.origin, plain, context) : plain;
      if (out === undefined) return { value: receipt };
      writeOut(out, receipt);
      const pending = receipt.chain.attestation_uid === null;
      const words = [`${out}${pending ? ' (not anchored yet; download it again later)' : ''}`];
      return { value: { file: out, pending }, words };
    },
  },
);

/** @throws {CommandError} when the index cannot be read now, or makes the file too long for `svc verify` */
async function withIndex(origin: string, receipt: Receipt, context: Context): Promise<Receipt> {
  const { index, tail } = await readIndexOf(origin, receipt.author.user_id);
  if (tail !== null) say(context, `svc verify will wait: ${tail}`);
  const indexed = { ...receipt, index };
  if (Buffer.byteLength(JSON.stringify(indexed, null, 2)) < MAX_RECEIPT_BYTES) return indexed;
  throw usageError('the author has too many etches for --index: use svc record --out');
}

export const openingCommand = command(
  'opening',
  'download the file that opens your sealed etch from its time on, without the service',
  {
    input: {
      ...SERVICE,
      ...ETCH,
      '--out <file>': needed(asIs, 'write it to this file'),
      '--chain <file>':
        'the expected drand chain, if not quicknet; the file has what its relay answers at /<hash>/info',
      '--promise <file>':
        'the promise that svc etch --save wrote; without it, hash and time are those that the service returns now',
    },
    examples: ['svc opening abc234 --out opening.json', 'svc open opening.json --drand https://api.drand.sh'],
    async run({ out, ...options }, context) {
      const { chain } = await namedChain(options.chain);
      const etch = await promisedOpening(options.promise);
      const { client, id } = await openEtch(options, context);
      const opening = await client.opening(id, { chain, etch });
      writeOut(out, opening);
      noteMissingPin(client.origin, context);
      const { round, chain_hash } = opening;
      const words = [
        `Anyone who has ${out} can open it with round ${round} of the drand chain ${chain_hash}.`,
        'It still works after a retraction. Nobody can test it before that round. If it contains a different text, it proves so afterwards.',
      ];
      return { value: { file: out, round, chain_hash }, words };
    },
  },
);

export const evidenceCommand = command(
  'evidence',
  'download evidence, which proves an etch by a block hash without a node',
  {
    input: {
      ...SERVICE,
      ...ETCH,
      '--out <file>': 'write it to this file',
      '--timeout <seconds>': read(count, 'wait up to this time for missing proofs'),
      '--require <what>': read(
        requirements,
        `required parts, separated by commas: ${REQUIREMENTS_LISTED}, which arrives a little later (default: chain)`,
      ),
    },
    examples: [
      'svc evidence abc234 --out evidence.json',
      'svc evidence abc234 --out evidence.json --timeout 600',
      'svc evidence abc234 --out evidence.json --timeout 600 --require chain,tsa',
      'svc verify evidence.json --block-hash 0x5c1a…',
    ],
    below: `\nExit status ${EXIT.wait}: a proof or the required time stamp is missing; the file is written anyway.`,
    async run({ out, timeout, require, ...options }, context) {
      const { client, id } = await openEtch(options, context);
      const evidence = await latestEvidence(client, id, timeout, require);
      const { wait = null } = evidence;
      const lacking = missingProofs(evidence, require ?? []);
      const status = wait !== null || lacking.length > 0 ? EXIT.wait : EXIT.pass;
      if (out === undefined) return { value: evidence, status };
      writeOut(out, evidence);
      const missing = [
        ...(wait === null ? [] : [`a proof is missing: ${wait}`]),
        ...lacking.map(
          ({ title }) =>
            `${title.replace('T', 't')} is missing: the service has not obtained one yet, or does not obtain them`,
        ),
      ];
      const words = [`${out}${missing.length === 0 ? '' : ` (${missing.join('; ')})`}`];
      return { value: { file: out, wait }, words, status };
    },
  },
);

async function latestEvidence(
  client: Client,
  id: string,
  timeout: number | undefined,
  require: Requirement[] | undefined,
): Promise<Evidence> {
  if (timeout === undefined) return client.evidence(id);
  const options = { timeoutMs: timeout * 1000, intervalMs: 1_000, require };
  return client.waitForEvidence(id, options).catch((error: unknown) => {
    if (error instanceof WaitError && error.reason === 'timeout') return client.evidence(id);
    throw error;
  });
}

/** The `.ots` file is of the etch's hash (`svc receipt --ots`). */
async function exportOtsFile(client: Client, id: string, path: string): Promise<Shown> {
  const { receipt, witnesses = [] } = await client.evidence(id);
  const witness = witnesses.find(({ of, kind }) => of === 'commitment' && kind === 'ots');
  if (witness === undefined)
    throw waitError(
      'the service has no OpenTimestamps proof of this etch: it arrives after the attestation is final, if the service uses calendars (OTS_CALENDARS); try again later',
    );
  const { attestationsOf, exportOts, readOts, TimestampError } = await import('@svc/timestamp/ots');
  const exported = () => {
    const made = exportOts(receipt, hexToBytes(witness.proof.slice(2)));
    const kinds = attestationsOf(readOts(made)).map(({ attestation }) => attestation.kind);
    return { file: made, pending: kinds.every((kind) => kind === 'pending') };
  };
  const wrong = 'the OpenTimestamps proof of the service is wrong';
  const { file, pending } = parsed(exported, TimestampError, wrong, EXIT.fail);
  writeOutBytes(path, file);
  const note = ' (no Bitcoin block has it yet; download it again in some hours, or run ots upgrade)';
  return { value: { file: path, pending }, words: [`${path}${pending ? note : ''}`] };
}
