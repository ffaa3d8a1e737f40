import type { AccountCounts, FoundAccount, RecordUser } from '../resources/account.ts';
import { author, revealedEtch, sealedEtch } from './etch.ts';

export const accountCounts: AccountCounts = {
  total: 3,
  active: 2,
  revealed: 1,
  retracted: 1,
  sealed_pending_reveal: 1,
};

export const foundAccount: FoundAccount = {
  user_id: author.user_id,
  username: author.username,
  display_name: author.display_name,
  kind: author.kind,
  verified: author.verified,
  social_handle: author.social_handle,
  match_count: 1,
  counts: accountCounts,
};

export const recordUser: RecordUser = {
  user_id: author.user_id,
  username: author.username,
  display_name: author.display_name,
  social_handle: author.social_handle,
  social_verified_at: author.social_verified_at,
  created_at: '2025-12-30T09:58:12.004Z',
  kind: author.kind,
  public_key: null,
  agent_url: null,
  agent_domain: null,
  agent_domain_checked_at: null,
  operator_id: null,
  official: author.official,
  verified: author.verified,
};

export const recordEtches = [sealedEtch, revealedEtch];

export const recordMarkdown = '# Record of ada\n\nThree etches: one sealed, one revealed, one retracted.\n';
