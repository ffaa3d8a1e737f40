import { type BlindSeal, QUICKNET, readBlindSeal } from '@svc/protocol/conventions';
import type { Etch } from '@svc/sdk';

export const RETRACTION_LEAVES =
  'The text, its salt, its exact time and its signature are permanently erased. The description, the hash, the author, the topic, the day and the times of reveal and retraction stay public permanently. Copies that others made stay too.';

/** Undefined for plain text. By default only quicknet seals count. */
export const blindSealOf = ({ content, created_at }: Etch): BlindSeal | undefined =>
  readBlindSeal(content, created_at, QUICKNET);

const blindSealWords = ({ chain, round, due }: BlindSeal, id: string): string[] => [
  `Blind seal: encrypted to round ${round} of the drand chain ${chain}, due ${due}. The service has no key.`,
  `From then on anyone can open it: svc open ${id}`,
];

export function etchWords(etch: Etch, seal = blindSealOf(etch)): string[] {
  const { author, chain, status } = etch;
  const shown: string[] = [
    `${status.toUpperCase()}  ${etch.description}`,
    `id        ${etch.id}`,
    `url       ${etch.short_url}`,
    `author    ${author.username}${author.verified ? ' (verified)' : ''}`,
    `topic     ${etch.category.id}`,
    `hash      ${etch.hash}`,
    `time      ${etch.created_at ?? etch.created_on}`,
  ];
  if (etch.challenge !== null) shown.push(`question  ${etch.challenge.question}`);
  if (status === 'sealed') shown.push(`opens     ${etch.reveal_at}`);
  if (status === 'retracted')
    shown.push(
      `${etch.retracted_by === undefined ? 'retracted' : 'removed  '} ${etch.retracted_at}: text, salt and signature are erased${
        etch.retracted_by === undefined
          ? ''
          : `, by the operator and not by its author (${etch.retraction_reason})`
      }`,
    );
  shown.push(`chain     ${chain.status}${chain.anchored_at === null ? '' : ` at ${chain.anchored_at}`}`);
  if (etch.signature !== null) shown.push(`signed    ${etch.signature.public_key}`);
  if (seal) shown.push('', ...blindSealWords(seal, etch.id));
  else if (etch.content !== null) shown.push('', ...etch.content.split('\n'));
  return shown;
}

export const etchLine = (etch: Etch): string =>
  `${etch.code}  ${etch.created_on}  ${etch.status.padEnd(9)}  ${etch.author.username}: ${etch.description}`;
