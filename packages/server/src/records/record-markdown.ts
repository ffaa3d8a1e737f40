import type { ChallengeDetail, Etch } from '@svc/contract';
import { readBlindSeal } from '@svc/protocol/conventions';
import type { DrandChain } from '@svc/protocol/timelock';
import { replaceInvisible } from '@svc/protocol';
import { lengthOf } from '../etches/view.ts';
import { mapInTimeSlices } from '../platform/flow/time-slices.ts';
import type { RecordPage } from './record-store.ts';

export async function recordMarkdown(
  page: RecordPage,
  options: { baseUrl: string; isFirst: boolean; nextUrl: string | null; drand: DrandChain | undefined },
): Promise<string> {
  const end =
    options.nextUrl === null
      ? page.etches.length === 0 && options.isFirst
        ? 'No etches yet.'
        : '_End of the record._'
      : `_The record goes on: <${options.nextUrl}>_`;
  const parts = [
    ...(options.isFirst
      ? head(page, options.baseUrl)
      : [`# Record of ${inline(page.user.username)}, continued`]),
    ...(await etchesMarkdown(page.etches, options.drand)),
    // Appending this later would copy the whole document.
    `${end}\n`,
  ];
  return parts.join('\n\n');
}

function head({ user, counts }: RecordPage, baseUrl: string): string[] {
  const facts = [
    `- Account: ${user.kind === 'agent' ? 'agent' : 'person'} \`${user.username}\`, since ${user.created_at}`,
    `- Id: \`${user.user_id}\``,
    ...(user.official ? ['- Official account of this service'] : []),
    ...(user.public_key ? [`- Public key (Ed25519): \`${user.public_key}\``] : []),
    ...(user.agent_domain
      ? [
          `- Vouched for by the domain ${inline(user.agent_domain)}${user.agent_domain_checked_at ? `, last checked ${user.agent_domain_checked_at}` : ''}`,
        ]
      : []),
    ...(user.operator_id ? [`- Operated by the account \`${user.operator_id}\``] : []),
    ...(user.social_handle
      ? [
          `- Social account: ${inline(user.social_handle)}${user.social_verified_at ? `, verified ${user.social_verified_at}` : ''}`,
        ]
      : []),
    `- Etches: ${counts.total} in all: ${counts.revealed} public, ${counts.sealed_pending_reveal} sealed, ${counts.retracted} retracted${counts.taken_down === undefined ? '' : `, ${counts.taken_down} taken down by the operator`}`,
  ];
  return [
    `# Record of ${inline(user.display_name)} (@${inline(user.username)})`,
    facts.join('\n'),
    [
      'Every etch of the account is here, newest first, retracted ones included: none can be edited and none removed.',
      `That nothing is left out of what was anchored in trees of version 2 is proven by the chain (svc audit), with the leaves at ${baseUrl}/api/v1/batches.`,
      'Texts are shown as written; invisible characters in them are spelled out.',
    ].join('\n'),
  ];
}

const BLIND_SEAL =
  'Blind seal: the text is encrypted, and this service never had it. The receipt has the ciphertext.';

const etchesMarkdown = (etches: readonly Etch[], drand: DrandChain | undefined): Promise<string[]> =>
  mapInTimeSlices(etches, lengthOf, (etch) => etchMarkdown(etch, drand));

/** @param drand recognizes blind seals */
export function etchMarkdown(etch: Etch, drand: DrandChain | undefined): string {
  const seal = readBlindSeal(etch.content, etch.created_at, drand);
  return [
    `## ${etch.created_on} · ${etch.status} · ${etch.category.label} · ${etch.code}`,
    fenced(etch.description),
    ...(etch.challenge
      ? [`Answer to the challenge: ${inline(etch.challenge.question ?? '')} <${etch.challenge.url}>`]
      : []),
    ...(seal ? [BLIND_SEAL] : etch.content === null ? [] : ['Text:', fenced(etch.content)]),
    [
      ...times(etch),
      ...(seal
        ? [`Encrypted to round ${seal.round} of the drand chain \`${seal.chain}\`, due ${seal.due}`]
        : []),
      ...proof(etch),
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
  ].join('\n\n');
}

function times(etch: Etch): string[] {
  switch (etch.status) {
    case 'sealed':
      return [`Sealed until ${etch.reveal_at}; written on ${etch.created_on}`];
    case 'retracted':
      return [
        `${etch.retracted_by === undefined ? 'Retracted' : `Taken down by the operator (${etch.retraction_reason})`} ${etch.retracted_at}: the text is erased, the hash remains; written on ${etch.created_on}`,
      ];
    default:
      return [
        `Written ${etch.created_at}`,
        ...(etch.mode === 'delayed' ? [`Sealed until ${etch.reveal_at}`] : []),
      ];
  }
}

function proof({ hash, chain, short_url: url, verify_url: verifyUrl, signature }: Etch): string[] {
  const anchored = chain.anchored_at
    ? `Anchored ${chain.anchored_at} by attestation \`${chain.attestation_uid}\``
    : `Not anchored yet (${chain.status})`;
  return [
    `Hash \`${hash}\``,
    anchored,
    ...(chain.revoked_onchain_at
      ? [
          `Retraction anchored ${chain.revoked_onchain_at} by attestation \`${chain.revocation_attestation_uid}\``,
        ]
      : []),
    ...(signature ? [`Signed by the author's key \`${signature.public_key}\``] : []),
    `<${url}> · verify: <${verifyUrl}>`,
  ];
}

/** A stranger's text must not create headings, links, fences or entries, or change the page's direction. */

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

export const visible = (text: string): string =>
  replaceInvisible(text.replaceAll('\r\n', '\n'), (codePoint) => `\\u{${codePoint.toString(16)}}`);

export const inline = (text: string): string =>
  visible(text).replace(PUNCTUATION, '\\$&').replace(/\s+/g, ' ').trim();

/** The fence is longer than any run of tildes in the text. */
export function fenced(text: string): string {
  const shown = visible(text);
  const longest = Math.max(0, ...[...shown.matchAll(/~+/g)].map(([run]) => run.length));
  const fence = '~'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${shown}\n${fence}`;
}

export async function challengeMarkdown(
  { challenge, etches }: { challenge: ChallengeDetail; etches: readonly Etch[] },
  { nextUrl, drand }: { nextUrl: string | null; drand: DrandChain | undefined },
): Promise<string> {
  const { creator, closed, reveal_at: revealAt, short_url: url } = challenge;
  const parts = [
    `# Challenge ${challenge.code} · ${challenge.category.label} · ${closed ? 'closed' : 'open'}`,
    fenced(challenge.question),
    [
      `- Asked by ${inline(creator.display_name)} (@${inline(creator.username)}), ${challenge.created_at}`,
      closed
        ? `- Closed ${revealAt}: all answers are open except retracted ones`
        : `- All answers are sealed until ${revealAt}: who and which day shows, never what`,
      `- <${url}>`,
    ].join('\n'),
    ...(await etchesMarkdown(etches, drand)),
    `${nextUrl === null ? '_End of the answers._' : `_The answers go on: <${nextUrl}>_`}\n`,
  ];
  return parts.join('\n\n');
}
