import { STAYS_PUBLIC } from '@svc/contract/tables';
import { type BlindSeal, QUICKNET, readBlindSeal } from '@svc/protocol/conventions';
import type { Etch, RetractedEtch } from '@svc/sdk';
import { when } from './context.ts';

export const RETRACTION_LEAVES = `The text, its salt, its exact time and its signature are permanently erased. ${STAYS_PUBLIC}`;

/** Undefined for plain text. By default only quicknet seals count. */
export const blindSealOf = ({ content, created_at }: Etch): BlindSeal | undefined =>
  readBlindSeal(content, created_at, QUICKNET);

const blindSealWords = ({ chain, round, due }: BlindSeal, id: string): string[] => [
  `Blind seal: encrypted to round ${round} of the drand chain ${chain}, due ${due}. The service has no key.`,
  `From then on anyone can open it: svc open ${id}`,
];

export function etchWords(etch: Etch, seal = blindSealOf(etch)): string[] {
  const { author, chain, status, challenge, signature, content } = etch;
  return [
    `${status.toUpperCase()}  ${etch.description}`,
    `id        ${etch.id}`,
    `url       ${etch.short_url}`,
    `author    ${author.username}${author.verified ? ' (verified)' : ''}`,
    `topic     ${etch.category.id}`,
    `hash      ${etch.hash}`,
    `time      ${etch.created_at ?? etch.created_on}`,
    ...when(challenge !== null, `question  ${challenge?.question}`),
    ...when(status === 'sealed', `opens     ${etch.reveal_at}`),
    ...(etch.status === 'retracted' ? [retractionWords(etch)] : []),
    `chain     ${chain.status}${chain.anchored_at === null ? '' : ` at ${chain.anchored_at}`}`,
    ...when(signature !== null, `signed    ${signature?.public_key}`),
    ...(seal ? ['', ...blindSealWords(seal, etch.id)] : []),
    ...(seal || content === null ? [] : ['', ...content.split('\n')]),
  ];
}

function retractionWords({ retracted_at, retracted_by, retraction_reason }: RetractedEtch): string {
  const erased = `${retracted_at}: text, salt and signature are erased`;
  return retracted_by === undefined
    ? `retracted ${erased}`
    : `removed   ${erased}, by the operator and not by its author (${retraction_reason})`;
}

export const etchLine = (etch: Etch): string =>
  `${etch.code}  ${etch.created_on}  ${etch.status.padEnd(9)}  ${etch.author.username}: ${etch.description}`;
