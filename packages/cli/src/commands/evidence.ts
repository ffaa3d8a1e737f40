import type { Command } from 'commander';
import { type Client, WaitError } from '@svc/sdk';
import { type Evidence, isStamped, type Requirement } from '@svc/verifier/evidence';
import { answer, type Context, inertJson, serviceCommand, type ServiceOptions } from '../context.ts';
import { EXIT } from '../exit.ts';
import { findEtchId } from '../find-named.ts';
import { count, requirements } from '../options.ts';
import { writeOut } from '../out-file.ts';
import { openSession } from '../session.ts';

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
    .argument('<etch>', 'the etch’s id, code or url')
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
      const { client } = openSession(options, context.env);
      const id = await findEtchId(target, client.origin);
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
