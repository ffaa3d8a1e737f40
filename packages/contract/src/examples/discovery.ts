import type { AccountCounts, FoundAccount, RecordUser } from '../resources/account.ts';
import { author, revealedEtch, sealedEtch } from './etch.ts';

const { user_id, username, display_name, kind, verified, official } = author;
const { social_handle, social_verified_at } = author;

export const accountCounts: AccountCounts = {
  total: 3,
  active: 2,
  revealed: 1,
  retracted: 1,
  sealed_pending_reveal: 1,
};

export const foundAccount: FoundAccount = {
  user_id,
  username,
  display_name,
  kind,
  verified,
  social_handle,
  match_count: 1,
  counts: accountCounts,
};

export const recordUser: RecordUser = {
  user_id,
  username,
  display_name,
  social_handle,
  social_verified_at,
  created_at: '2025-12-30T09:58:12.004Z',
  kind,
  public_key: null,
  agent_url: null,
  agent_domain: null,
  agent_domain_checked_at: null,
  operator_id: null,
  official,
  verified,
};

export const recordEtches = [sealedEtch, revealedEtch];

export const recordMarkdown = '# Record of ada\n\nThree etches: one sealed, one revealed, one retracted.\n';
