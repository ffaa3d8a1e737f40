import { Option } from 'commander';
import type { Command } from 'commander';
import { ApiError, WaitError } from '@svc/sdk';
import type { Client, Etch } from '@svc/sdk';
import { answer, ask, lines, serviceCommand } from '../context.ts';
import type { Context } from '../context.ts';
import { blindSealOf, etchWords, RETRACTION_LEAVES } from '../etch-words.ts';
import { CommandError, EXIT } from '../exit.ts';
import { inertJson } from '../inert.ts';
import { findEtchId } from '../load-receipt.ts';
import { noteMissingPin } from '../make-etch.ts';
import { namedChain } from '../named-chain.ts';
import { showPage } from '../open-page.ts';
import { count } from '../options.ts';
import { writeOut } from '../out-file.ts';
import { promisedOpening } from '../promise-file.ts';
import { openSession } from '../session.ts';
import type { ServiceOptions } from '../session.ts';
import { waitFor } from '../wait.ts';

const ETCH = ['<etch>', 'its id, its code or its url'] as const;

async function open(
  target: string,
  options: ServiceOptions,
  context: Context,
): Promise<{ client: Client; id: string }> {
  const { client } = openSession(options, context.env);
  return { client, id: await findEtchId(target, client.origin) };
}

/** `svc show` */
export function showCommand(context: Context): Command {
  return serviceCommand('show', 'show an etch as it is now', [
    'svc show abc234',
    'svc show <id> --json',
    'svc show abc234 --web',
  ])
    .argument(...ETCH)
    .option('--web', 'open its page in a browser', false)
    .action(async (target: string, options: ServiceOptions & { web: boolean }) => {
      const { client, id } = await open(target, options, context);
      if (options.web) return showPage(new URL(`/e/${id}`, client.origin), options, context);
      const etch = await client.getEtch(id);
      const seal = blindSealOf(etch);
      const blind = seal && { chain: seal.chain, round: seal.round, due: seal.due };
      answer(context, options, { etch, ...(blind && { blind }) }, etchWords(etch));
    });
}

/** `svc reveal` */
export function revealCommand(context: Context): Command {
  return serviceCommand('reveal', 'write a due reveal at once; nothing opens before its time', [
    'svc reveal abc234',
  ])
    .argument(...ETCH)
    .action(async (target: string, options: ServiceOptions) => {
      const { client, id } = await open(target, options, context);
      const etch = await client.reveal(id);
      answer(context, options, { etch }, etchWords(etch));
    });
}

/** `svc retract` */
export function retractCommand(context: Context): Command {
  return serviceCommand('retract', 'erase an etch’s text, salt and signature for ever', [
    'svc retract abc234',
    'svc retract abc234 --yes --json',
  ])
    .argument(...ETCH)
    .option('--yes', 'do not ask', false)
    .action(async (target: string, options: ServiceOptions & { yes: boolean }) => {
      const { client, id } = await open(target, options, context);
      const before = await client.getEtch(id);
      if (!options.yes && before.status !== 'retracted') {
        const seal = blindSealOf(before);
        const copies = `Copies of its ciphertext open at ${seal?.due} all the same.`;
        context.note(lines(...etchWords(before), '', ...(seal ? [copies] : [])));
        const typed = await ask(`This cannot be undone. ${RETRACTION_LEAVES} Type yes to retract: `, context);
        if (typed.trim().toLowerCase() !== 'yes') throw new CommandError(EXIT.fail, 'nothing was retracted');
      }
      const { etch, before: isRepeated } = await retractOnce(client, before);
      answer(context, options, { etch, retracted_before: isRepeated, stays: RETRACTION_LEAVES }, [
        ...(isRepeated
          ? [`This etch was retracted before, at ${etch.retracted_at}. Nothing changed now.`]
          : []),
        ...etchWords(etch),
        '',
        RETRACTION_LEAVES,
      ]);
    });
}

/**
 * The service refuses a second retraction with 422, after it checked that the caller is the author. A takedown is not the author’s
 * retraction, so its 422 stays an error.
 */
async function retractOnce(client: Client, shown: Etch): Promise<{ etch: Etch; before: boolean }> {
  try {
    return { etch: await client.retract(shown.id), before: false };
  } catch (error) {
    const isOwn = shown.status === 'retracted' && shown.retracted_by === undefined;
    if (isOwn && error instanceof ApiError && error.status === 422) return { etch: shown, before: true };
    throw error;
  }
}

/** `svc receipt` */
export function receiptCommand(context: Context): Command {
  return serviceCommand('receipt', 'download what a stranger needs to check an etch', [
    'svc receipt abc234 --out receipt.json',
    'svc verify receipt.json --rpc http://127.0.0.1:8545',
  ])
    .argument(...ETCH)
    .option('--out <file>', 'write it there')
    .action(async (target: string, options: ServiceOptions & { out?: string }) => {
      const { client, id } = await open(target, options, context);
      const receipt = await client.receipt(id);
      if (options.out === undefined) return context.out(`${inertJson(receipt)}\n`);
      writeOut(options.out, receipt);
      const pending = receipt.chain.attestation_uid === null;
      answer(context, options, { file: options.out, pending }, [
        `${options.out}${pending ? ' (not anchored yet: download it again later)' : ''}`,
      ]);
    });
}

interface OpeningOptions extends ServiceOptions {
  out: string;
  chain?: string;
  promise?: string;
}

/** `svc opening` */
export function openingCommand(context: Context): Command {
  return serviceCommand(
    'opening',
    'download what opens your sealed etch from its time on, without the service',
    ['svc opening abc234 --out opening.json', 'svc open opening.json --drand https://api.drand.sh'],
  )
    .argument(...ETCH)
    .requiredOption('--out <file>', 'write it there')
    .option(
      '--chain <file>',
      'the drand chain it has to be encrypted to, if not quicknet: what its /<hash>/info answers',
    )
    .option(
      '--promise <file>',
      'the promise of the etch, which svc etch --save wrote; without it hash and time are what the service shows now',
    )
    .action(async (target: string, options: OpeningOptions) => {
      const { chain } = await namedChain(options.chain);
      const etch = await promisedOpening(options.promise);
      const { client, id } = await open(target, options, context);
      const opening = await client.opening(id, { chain, etch });
      writeOut(options.out, opening);
      noteMissingPin(client.origin, context);
      const { round, chain_hash } = opening;
      answer(context, options, { file: options.out, round, chain_hash }, [
        `${options.out} opens with round ${round} of the drand chain ${chain_hash}, whoever has it then.`,
        'It outlives a retraction, and cannot be tested before: that it holds other words can be proven afterwards.',
      ]);
    });
}

interface WatchOptions extends ServiceOptions {
  until: 'anchored' | 'revealed';
  timeout?: number;
}

/** `svc watch` */
export function watchCommand(context: Context): Command {
  return serviceCommand('watch', 'wait until an etch is anchored, or revealed', [
    'svc watch abc234',
    'svc watch abc234 --until revealed --timeout 3600',
  ])
    .argument(...ETCH)
    .addOption(
      new Option('--until <event>', 'what to wait for').choices(['anchored', 'revealed']).default('anchored'),
    )
    .option(
      '--timeout <seconds>',
      `give up after so long, with exit status ${EXIT.wait} (default: never)`,
      count,
    )
    .action(async (target: string, options: WatchOptions) => {
      const { client, id } = await open(target, options, context);
      const { etch, isLate } = await waitFor(
        options.until,
        client,
        id,
        { timeoutSeconds: options.timeout },
        context,
      );
      if (isLate) throw new WaitError(`not ${options.until} within ${options.timeout} seconds`, 'timeout');
      answer(context, options, { etch }, etchWords(etch));
    });
}
