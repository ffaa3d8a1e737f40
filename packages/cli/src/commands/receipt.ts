import type { Command } from 'commander';
import { type Client, WaitError } from '@svc/sdk';
import { answer, type Context, inertJson, serviceCommand, type ServiceOptions } from '../context.ts';
import { EXIT, failError, reworded, usageError, waitError } from '../exit.ts';
import { fetchTlogProof } from '../judge-log.ts';
import { ETCH, openEtch } from '../find-named.ts';
import { noteMissingPin } from '../make-etch.ts';
import { namedChain } from '../open-blind.ts';
import { count, requirements } from '../options.ts';
import { writeOut, writeOutBytes } from '../out-file.ts';
import { promisedOpening } from '../promise-file.ts';
import { type Evidence, isStamped, type Requirement } from '@svc/verifier/evidence';
import { hexToBytes } from '@svc/protocol';

interface ReceiptOptions extends ServiceOptions {
  out?: string;
  ots?: string;
  tlogProof?: string;
}

export function receiptCommand(context: Context): Command {
  return serviceCommand('receipt', 'download the receipt of an etch, for verification without the service', [
    'svc receipt abc234 --out receipt.json',
    'svc receipt abc234 --ots abc234.ots',
    'svc verify receipt.json --rpc http://127.0.0.1:8545',
  ])
    .argument(...ETCH)
    .option('--out <file>', 'write it to this file')
    .option(
      '--ots <file>',
      'write an OpenTimestamps proof of the canonical string instead, for `ots verify` and others',
    )
    .option(
      '--tlog-proof <file>',
      'write the proof that the log of trees has the etch instead (C2SP tlog-proof)',
    )
    .action(async (target: string, options: ReceiptOptions) => {
      if ([options.ots, options.out, options.tlogProof].filter((one) => one !== undefined).length > 1)
        throw usageError('give one of --out, --ots and --tlog-proof');
      const { client, id } = await openEtch(target, options, context);
      if (options.ots !== undefined) return exportOtsFile(client, id, options.ots, options, context);
      if (options.tlogProof !== undefined) {
        const proof = await fetchTlogProof(client.origin, id);
        if (proof === null)
          throw waitError('the log of the service has no tree with this etch yet: try again later');
        writeOutBytes(options.tlogProof, proof);
        return answer(context, options, { file: options.tlogProof }, [options.tlogProof]);
      }
      const receipt = await client.receipt(id);
      if (options.out === undefined) return context.out(`${inertJson(receipt)}\n`);
      writeOut(options.out, receipt);
      const pending = receipt.chain.attestation_uid === null;
      answer(context, options, { file: options.out, pending }, [
        `${options.out}${pending ? ' (not anchored yet; download it again later)' : ''}`,
      ]);
    });
}

interface OpeningOptions extends ServiceOptions {
  out: string;
  chain?: string;
  promise?: string;
}

export function openingCommand(context: Context): Command {
  return serviceCommand(
    'opening',
    'download the file that opens your sealed etch from its time on, without the service',
    ['svc opening abc234 --out opening.json', 'svc open opening.json --drand https://api.drand.sh'],
  )
    .argument(...ETCH)
    .requiredOption('--out <file>', 'write it to this file')
    .option(
      '--chain <file>',
      'the expected drand chain, if not quicknet; the file has what its relay answers at /<hash>/info',
    )
    .option(
      '--promise <file>',
      'the promise that svc etch --save wrote; without it, hash and time are those that the service returns now',
    )
    .action(async (target: string, options: OpeningOptions) => {
      const { chain } = await namedChain(options.chain);
      const etch = await promisedOpening(options.promise);
      const { client, id } = await openEtch(target, options, context);
      const opening = await client.opening(id, { chain, etch });
      writeOut(options.out, opening);
      noteMissingPin(client.origin, context);
      const { round, chain_hash } = opening;
      answer(context, options, { file: options.out, round, chain_hash }, [
        `Anyone who has ${options.out} can open it with round ${round} of the drand chain ${chain_hash}.`,
        'It still works after a retraction. Nobody can test it before that round. If it contains a different text, it proves so afterwards.',
      ]);
    });
}

interface EvidenceOptions extends ServiceOptions {
  out?: string;
  timeout?: number;
  require?: Requirement[];
}

export function evidenceCommand(context: Context): Command {
  return serviceCommand(
    'evidence',
    'download evidence, which proves an etch by a block hash without a node',
    [
      'svc evidence abc234 --out evidence.json',
      'svc evidence abc234 --out evidence.json --timeout 600',
      'svc evidence abc234 --out evidence.json --timeout 600 --require chain,tsa',
      'svc verify evidence.json --block-hash 0x5c1a…',
    ],
  )
    .argument(...ETCH)
    .option('--out <file>', 'write it to this file')
    .option('--timeout <seconds>', 'wait up to this time for missing proofs', count)
    .option(
      '--require <what>',
      'required parts: chain, tsa (a time stamp, which arrives a little later) or both, separated by commas (default: chain)',
      requirements,
    )
    .addHelpText(
      'after',
      `\nExit status ${EXIT.wait}: a proof or the required time stamp is missing; the file is written anyway.`,
    )
    .action(async (target: string, options: EvidenceOptions) => {
      const { client, id } = await openEtch(target, options, context);
      const evidence = await latestEvidence(client, id, options);
      const { wait = null } = evidence;
      const isUnstamped = options.require?.includes('tsa') === true && !isStamped(evidence);
      if (wait !== null || isUnstamped) context.finish(EXIT.wait);
      if (options.out === undefined) return context.out(`${inertJson(evidence)}\n`);
      writeOut(options.out, evidence);
      const missing = [
        ...(wait === null ? [] : [`a proof is missing: ${wait}`]),
        ...(isUnstamped
          ? ['the time stamp is missing: the service has not obtained one yet, or does not obtain them']
          : []),
      ];
      answer(context, options, { file: options.out, wait }, [
        `${options.out}${missing.length === 0 ? '' : ` (${missing.join('; ')})`}`,
      ]);
    });
}

async function latestEvidence(
  client: Client,
  id: string,
  { timeout, require }: EvidenceOptions,
): Promise<Evidence> {
  if (timeout === undefined) return client.evidence(id);
  try {
    return await client.waitForEvidence(id, { timeoutMs: timeout * 1000, intervalMs: 1_000, require });
  } catch (error) {
    if (error instanceof WaitError && error.reason === 'timeout') return client.evidence(id);
    throw error;
  }
}

/** The `.ots` file is of the etch's hash (`svc receipt --ots`). */
async function exportOtsFile(
  client: Client,
  id: string,
  path: string,
  options: ServiceOptions,
  context: Context,
): Promise<void> {
  const { receipt, witnesses = [] } = await client.evidence(id);
  const witness = witnesses.find(({ of, kind }) => of === 'commitment' && kind === 'ots');
  if (witness === undefined)
    throw waitError(
      'the service has no OpenTimestamps proof of this etch: it arrives after the attestation is final, if the service uses calendars (OTS_CALENDARS); try again later',
    );
  const { attestationsOf, exportOts, readOts, TimestampError } = await import('@svc/timestamp/ots');
  const [file, pending] = reworded(
    () => {
      const made = exportOts(receipt, hexToBytes(witness.proof.slice(2)));
      const kinds = attestationsOf(readOts(made)).map(({ attestation }) => attestation.kind);
      return [made, kinds.every((kind) => kind === 'pending')] as const;
    },
    TimestampError,
    (message) => failError(`the OpenTimestamps proof of the service is wrong: ${message}`),
  );
  writeOutBytes(path, file);
  answer(context, options, { file: path, pending }, [
    `${path}${pending ? ' (no Bitcoin block has it yet; download it again in some hours, or run ots upgrade)' : ''}`,
  ]);
}
