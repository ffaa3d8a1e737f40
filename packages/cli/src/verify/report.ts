import { parseCanonicalString } from '@svc/protocol';
import { sectionsLine } from '@svc/protocol/conventions';
import { overall } from '@svc/verifier';
import { counted } from '@svc/verifier/evidence';
import { isRequired } from '../judge-witnesses.ts';
import { pinChanges, pinsPath } from '../pins.ts';
import type { Report } from '../print.ts';
import type { Checked, Extras } from './check.ts';
import type { LoadedReceipt, VerifyOptions } from './load.ts';
import type { Trusted } from './trust.ts';

export function makeReport(
  loaded: LoadedReceipt,
  trusted: Trusted,
  checked: Checked,
  { author, promise, files }: Extras,
  options: VerifyOptions,
  env: NodeJS.ProcessEnv,
): Report {
  const { verification, evidence, timestamp, ots, log } = checked;
  const needsChain = isRequired(options, 'chain');
  const needs = (['chain', 'tsa', 'ots', 'log'] as const).find((one) => isRequired(options, one))!;
  const [words, batch, chain] = verification.checks;
  const stamp = timestamp && counted(timestamp, isRequired(options, 'tsa'));
  const block = ots && counted(ots, isRequired(options, 'ots'));
  const logged = log && counted(log, isRequired(options, 'log'));
  const extras = [stamp, block, logged, author, promise?.check ?? null, files].filter((one) => one !== null);
  return {
    ...{ receipt: loaded.receipt, verification, evidence, timestamp, ots, log, needs },
    ...{ author, promise: promise?.check ?? null, files },
    ...{ chosen: trusted.chosen, condition: trusted.condition },
    notes: [
      ...trusted.chosen.notes,
      ...(evidence?.notes ?? []),
      ...(loaded.receipt.former ?? [])
        .slice(0, 1)
        .map(
          ({ name, chain_id, anchored_at }) =>
            `first attested on ${name} (chain ${chain_id}) at ${anchored_at}, as the receipt says; check that time by svc evidence and svc verify --former`,
        ),
      ...(promise?.notes ?? []),
      ...sectionNotes(words.verdict === 'pass' ? loaded.receipt.canonical_string : null),
      ...trustNotes(loaded, trusted, env),
    ],
    checked: overall({ checks: [words, batch, counted(chain, needsChain), ...extras] }),
  };
}

function sectionNotes(canonical: string | null): string[] {
  const line = sectionsLine(parseCanonicalString(canonical ?? '')?.content ?? '');
  return line === null ? [] : [`preregistration with the sections ${line}`];
}

function trustNotes(
  { service, origin }: LoadedReceipt,
  { known: { pin, facts }, chosen, endpoint }: Trusted,
  env: NodeJS.ProcessEnv,
): string[] {
  const isNamedByReceipt = service === null && pin === null && facts !== null;
  const isNoted = endpoint.notes.some((note) => note.includes('other values'));
  const changes = pin === null || facts === null || isNoted ? [] : pinChanges(pin, facts);
  return [
    ...(isNamedByReceipt
      ? [`only the receipt names the service ${origin}; a forged receipt would name the forger’s service`]
      : []),
    ...(chosen.source === 'pin'
      ? [`the trusted values are those that you pinned for ${origin} in ${pinsPath(env)}`]
      : []),
    ...(changes.length === 0
      ? []
      : [`the service now publishes other values than you pinned: ${changes.join('; ')}`]),
    ...endpoint.notes,
  ];
}
