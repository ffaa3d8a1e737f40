import type { AccountCounts, Key, ListedKey } from '@svc/contract';
import { assuranceOf, type Caller, isVerified } from '../identity/caller.ts';
import type { Limits } from '../settings/config.ts';
import { type Bucket, etchesPerDay, refill, remaining } from './allowance-store.ts';
import type { AccountRow } from './store.ts';

export function agentView(row: AccountRow) {
  return {
    user_id: row.id,
    username: row.username,
    display_name: row.display_name,
    public_key: row.public_key,
    agent_url: row.agent_url,
    kind: row.kind,
    assurance: assuranceOf(row),
    verified: isVerified(row),
    created_at: row.created_at,
  };
}

export function vouchedAgentView(row: AccountRow) {
  const { agent_domain, agent_domain_checked_at, operator_id } = row;
  return { ...agentView(row), agent_domain, agent_domain_checked_at, operator_id };
}

export function meView(row: AccountRow) {
  return {
    id: row.id,
    username: row.username,
    display_name: row.display_name,
    social_handle: row.social_handle,
    social_verified_at: withOffset(row.social_verified_at),
    created_at: withOffset(row.created_at),
    social_linked: row.social_handle !== null,
  };
}

function withOffset<T extends string | null>(time: T): T {
  return (time === null ? null : time.replace(/Z$/, '+00:00')) as T;
}

export const issuedKeyView = ({ revoked_at: _, ...issued }: ListedKey): Key => issued;

export const challengeAllowanceView = (bucket: Bucket | undefined, limits: Limits, now: number) =>
  allowanceView(bucket, limits.challengesPerDay, now);

function allowanceView(bucket: Bucket | undefined, perDay: number, now: number) {
  return {
    per_day: perDay,
    remaining: Math.floor(remaining(refill(bucket, perDay, now), perDay)),
    refill_per_hour: perDay / 24,
  };
}

export function limitsView(caller: Caller, bucket: Bucket | undefined, limits: Limits, now: number) {
  const { credential } = caller;
  return {
    account: { kind: caller.kind, assurance: caller.assurance, verified: caller.verified },
    etches: allowanceView(bucket, etchesPerDay(caller, limits), now),
    authenticated_with:
      credential.type === 'session'
        ? { type: credential.type }
        : { type: credential.type, scope: credential.scope, key_id: credential.keyId },
  };
}

interface Counted {
  total: number;
  sealed: number;
  /** also those taken down */
  retracted: number;
  taken_down: number;
}

export const countsView = ({ total, sealed, retracted, taken_down }: Counted): AccountCounts => ({
  total,
  active: total - retracted,
  revealed: total - retracted - sealed,
  retracted: retracted - taken_down,
  ...(taken_down > 0 && { taken_down }),
  sealed_pending_reveal: sealed,
});
