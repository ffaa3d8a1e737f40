import { type Command, Option } from 'commander';
import { ApiError, type Client, type Etch, WaitError } from '@svc/sdk';
import { answer, ask, inertJson, lines, serviceCommand } from '../context.ts';
import type { Context, ServiceOptions } from '../context.ts';
import { blindSealOf, etchWords, RETRACTION_LEAVES } from '../etch-words.ts';
import { EXIT, failError, usageError, waitError } from '../exit.ts';
import { exportOtsFile } from '../export-ots.ts';
import { fetchTlogProof } from '../judge-log.ts';
import { findEtchId } from '../find-named.ts';
import { noteMissingPin } from '../make-etch.ts';
import { namedChain } from '../named-chain.ts';
import { showPage } from '../open-page.ts';
import { count } from '../options.ts';
import { writeOut, writeOutBytes } from '../out-file.ts';
import { promisedOpening } from '../promise-file.ts';
import { openSession } from '../session.ts';
import { waitFor } from '../wait.ts';

const ETCH = ['<etch>', 'the etch’s id, code or url'] as const;

async function open(
  target: string,
  options: ServiceOptions,
  context: Context,
): Promise<{ client: Client; id: string }> {
  const { client } = openSession(options, context.env);
  return { client, id: await findEtchId(target, client.origin) };
}

export function showCommand(context: Context): Command {
  return serviceCommand('show', 'show the current state of an etch', [
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

export function revealCommand(context: Context): Command {
  return serviceCommand('reveal', 'reveal a due etch at once; this opens nothing early', [
    'svc reveal abc234',
  ])
    .argument(...ETCH)
    .action(async (target: string, options: ServiceOptions) => {
      const { client, id } = await open(target, options, context);
      const etch = await client.reveal(id);
      answer(context, options, { etch }, etchWords(etch));
    });
}

export function retractCommand(context: Context): Command {
  return serviceCommand('retract', 'permanently erase an etch’s text, salt and signature', [
    'svc retract abc234',
    'svc retract abc234 --yes --json',
  ])
    .argument(...ETCH)
    .option('--yes', 'do not ask for confirmation', false)
    .action(async (target: string, options: ServiceOptions & { yes: boolean }) => {
      const { client, id } = await open(target, options, context);
      const before = await client.getEtch(id);
      if (!options.yes && before.status !== 'retracted') {
        const seal = blindSealOf(before);
        const copies = `Copies of its ciphertext can still be opened from ${seal?.due} on.`;
        context.note(lines(...etchWords(before), '', ...(seal ? [copies] : [])));
        const typed = await ask(`This cannot be undone. ${RETRACTION_LEAVES} Type yes to retract: `, context);
        if (typed.trim().toLowerCase() !== 'yes') throw failError('nothing was retracted');
      }
      const { etch, before: isRepeated } = await retractOnce(client, before);
      answer(context, options, { etch, retracted_before: isRepeated, stays: RETRACTION_LEAVES }, [
        ...(isRepeated ? [`This etch was already retracted, at ${etch.retracted_at}. Nothing changed.`] : []),
        ...etchWords(etch),
        '',
        RETRACTION_LEAVES,
      ]);
    });
}

/**
 * A second retraction fails with 422, after the check of the author. A retraction after a takedown fails too, and
 * stays an error.
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
      const { client, id } = await open(target, options, context);
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
      const { client, id } = await open(target, options, context);
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

interface WatchOptions extends ServiceOptions {
  until: 'anchored' | 'revealed';
  timeout?: number;
}

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
      `stop waiting after this time, with exit status ${EXIT.wait} (default: never)`,
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
