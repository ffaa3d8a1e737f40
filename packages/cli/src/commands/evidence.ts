import type { Command } from 'commander';
import { WaitError } from '@svc/sdk';
import type { Client } from '@svc/sdk';
import { isStamped } from '@svc/verifier/evidence';
import type { Evidence, Requirement } from '@svc/verifier/evidence';
import { answer, serviceCommand } from '../context.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { inertJson } from '../inert.ts';
import { findEtchId } from '../load-receipt.ts';
import { count, requirements } from '../options.ts';
import { writeOut } from '../out-file.ts';
import { openSession } from '../session.ts';
import type { ServiceOptions } from '../session.ts';

interface EvidenceOptions extends ServiceOptions {
  out?: string;
  timeout?: number;
  require?: Requirement[];
}

/** `svc evidence` */
export function evidenceCommand(context: Context): Command {
  return serviceCommand('evidence', 'download what proves an etch by the hash of a block, without a node', [
    'svc evidence abc234 --out evidence.json',
    'svc evidence abc234 --out evidence.json --timeout 600',
    'svc evidence abc234 --out evidence.json --timeout 600 --require chain,tsa',
    'svc verify evidence.json --block-hash 0x5c1a…',
  ])
    .argument('<etch>', 'its id, its code or its url')
    .option('--out <file>', 'write it there')
    .option('--timeout <seconds>', 'wait so long for what is not there yet', count)
    .option(
      '--require <what>',
      'what has to be in it, of chain and tsa (a time stamp, which comes a little later), separated by commas (default: chain)',
      requirements,
    )
    .addHelpText(
      'after',
      `\nExit status ${EXIT.wait}: a proof is missing, or the time stamp that is required; the file is written all the same.`,
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
        ...(isUnstamped ? ['there is no time stamp in it: the service has none made, or not yet'] : []),
      ];
      answer(context, options, { file: options.out, wait }, [
        `${options.out}${missing.length === 0 ? '' : ` (${missing.join('; ')})`}`,
      ]);
    });
}

/** With what is waited for, or as it is when the time is over. */
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
