import { type Category, type Etch, TOPIC_LABELS, type TopicId } from '@svc/contract';
import { canonicalString } from '@svc/protocol';
import type { DrandChain } from '@svc/protocol/timelock';
import { mapInTimeSlices } from '../platform/flow/time-slices.ts';
import { isVerified } from '../identity/caller.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import { chainView, type ExplorerLinks } from './chain-view.ts';
import { type EtchRow, repeatedInputs, statusAt } from './row.ts';
import { readHidden } from './hidden-fields.ts';

export interface ViewContext extends ExplorerLinks {
  baseUrl: string;
  keyring: Keyring;
  officialAccounts: { has(username: string): boolean };
  drand?: DrandChain | undefined;
}

/** The only serializer of etches, so that sealed fields are hidden everywhere (docs/specification.md#etch). */
export function etchView(row: EtchRow, now: number, context: ViewContext): Etch {
  const due = statusAt(row, now);
  const open = due === 'revealed' ? readHidden(context.keyring, row) : null;
  // Without its key an etch stays sealed.
  const status = due === 'revealed' && !open ? 'sealed' : due;
  const salt = open?.salt.toString('hex') ?? null;
  const url = `${context.baseUrl}/e/${row.id}`;
  const view = {
    id: row.id,
    status,
    ...repeatedInputs(row),
    hash: row.hash.toString('hex'),
    description: row.description,
    content: open?.content ?? null,
    salt,
    created_at: open ? row.created_at : null,
    created_on: row.created_at.slice(0, 10),
    reveal_at: row.reveal_at,
    revealed_at: revealedAt(row, status),
    retracted_at: row.retracted_at,
    ...(row.taken_down !== null && {
      retracted_by: 'operator' as const,
      retraction_reason: row.taken_down,
    }),
    author: authorView(row, context),
    category: categoryView(row.category_id),
    challenge:
      row.challenge_id === null
        ? null
        : {
            id: row.challenge_id,
            question: row.challenge_question!,
            url: `${context.baseUrl}/ch/${row.challenge_id}`,
          },
    chain: chainView(row, now, context),
    signature:
      open?.signature && open.signature_key
        ? { value: open.signature.toString('hex'), public_key: open.signature_key }
        : null,
    canonical_string:
      open && salt !== null
        ? canonicalString({ userId: row.user_id, createdAt: row.created_at, salt, content: open.content })
        : null,
    code: row.code,
    url,
    short_url: `${context.baseUrl}/e/${row.code}`,
    verify_url: `${url}/verify`,
  };
  return view as Etch;
}

export const lengthOf = (etch: { description: string; content: string | null }): number =>
  etch.description.length + (etch.content?.length ?? 0);

export function etchViews(
  rows: readonly (EtchRow | undefined)[],
  now: number,
  context: ViewContext,
): Promise<Etch[]> {
  return mapInTimeSlices(
    rows.filter((row) => row !== undefined),
    (row) => row.content?.length ?? row.sealed?.length ?? 0,
    (row) => etchView(row, now, context),
    4 * 16_384,
  );
}

export const categoryView = (id: string): Category => ({
  id: id as TopicId,
  label: TOPIC_LABELS[id as TopicId],
});

function authorView(row: EtchRow, context: ViewContext) {
  return {
    user_id: row.user_id,
    username: row.username,
    display_name: row.display_name,
    social_handle: row.social_handle,
    social_verified_at: row.social_verified_at,
    social_verified: row.social_verified_at !== null,
    kind: row.kind,
    verified: isVerified(row),
    official: context.officialAccounts.has(row.username),
  };
}

/** A delayed etch may be written after its reveal. */
function revealedAt(row: EtchRow, status: EtchRow['status']): string | null {
  if (status === 'revealed') return row.mode === 'delayed' ? row.reveal_at : row.created_at;
  return status === 'retracted' ? row.revealed_at : null;
}
