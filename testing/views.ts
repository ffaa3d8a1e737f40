import {
  type ChallengeListItem,
  type Etch,
  type RevealedEtch,
  type RecordUser,
  REPEATED_INPUTS,
  ROUTES,
} from '@svc/contract';
import type { Site } from '@svc/web/site';

export const HEX = (digit: string): string => digit.repeat(64);
const ID = '1b671a64-40d5-491e-99b0-da01ff1f3341';

export const site: Site = {
  baseUrl: 'https://etch.example',
  chain: {
    name: 'mainnet',
    embedded: false,
    id: 1,
    contract: `0x${'a'.repeat(40)}`,
    schemaUid: `0x${HEX('b')}`,
    relayer: `0x${'c'.repeat(40)}`,
    rpcUrl: 'https://etch.example/rpc',
  },
  files: {
    ...Object.fromEntries(
      'audit verify try copy reference times live compose drafts open files blind unseal seal'
        .split(' ')
        .map((name) => [`${name}.js`, `/assets/${name}.1.js`]),
    ),
    'site.css': '/assets/site.1.css',
    'icon.svg': '/assets/icon.1.svg',
    'icon-180.png': '/assets/icon-180.a.png',
    'icon-512.png': '/assets/icon-512.a.png',
    'favicon.ico': '/assets/favicon.a.ico',
  } as Site['files'],
};
export const devnetSite: Site = { ...site, chain: { ...site.chain, name: 'testbed', embedded: true } };

const chain: Etch['chain'] = {
  status: 'anchored',
  attestation_uid: `0x${HEX('d')}`,
  tx_hash: `0x${HEX('e')}`,
  anchored_at: '2026-01-02T03:04:45.000Z',
  revocation_status: 'none',
  revocation_tx_hash: null,
  revoked_onchain_at: null,
  attscan_url: null,
  tx_url: null,
  revocation_tx_url: null,
  root: HEX('1'),
  proof: [HEX('2')],
  tree_size: 2,
  tree_version: 2,
  revocation_root: null,
  revocation_proof: null,
  revocation_tree_version: null,
  revocation_attestation_uid: null,
};

export const pending: Etch['chain'] = {
  ...chain,
  status: 'pending',
  attestation_uid: null,
  tx_hash: null,
  anchored_at: null,
  root: null,
  proof: null,
  tree_size: null,
  tree_version: null,
};

const ada = {
  user_id: '7d0f4b1e-93c2-4b51-8a51-1f0d0c6b7a10',
  username: 'ada',
  display_name: 'Ada',
  social_handle: null,
  social_verified_at: null,
  verified: false,
  official: false,
};
const revealed: RevealedEtch = {
  ...ROUTES.getEtch.success.example.etch,
  ...Object.fromEntries(REPEATED_INPUTS.map((name) => [name, null])),
  mode: 'instant',
  id: ID,
  hash: HEX('f'),
  salt: HEX('5'),
  code: 'abc234',
  description: 'About the tide',
  content: 'The tide turns.',
  canonical_string: 'svc:v1|…',
  created_at: '2026-01-02T03:04:05.678Z',
  created_on: '2026-01-02',
  revealed_at: '2026-01-02T03:04:05.678Z',
  author: { ...ada, kind: 'human', social_verified: false },
  category: { id: 'science', label: 'Science' },
  chain,
  url: `${site.baseUrl}/e/${ID}`,
  short_url: `${site.baseUrl}/e/abc234`,
  verify_url: `${site.baseUrl}/e/${ID}/verify`,
};

export const etch = (fields: Partial<Record<keyof Etch, unknown>> = {}): Etch =>
  ({ ...revealed, ...fields }) as Etch;

const hidden = { content: null, salt: null, created_at: null, canonical_string: null, revealed_at: null };

export const sealed = (fields: Parameters<typeof etch>[0] = {}): Etch =>
  etch({
    ...hidden,
    status: 'sealed',
    mode: 'delayed',
    reveal_at: '2026-05-03T12:00:00.000Z',
    ...fields,
  });

export const retracted = (fields: Parameters<typeof etch>[0] = {}): Etch =>
  etch({
    ...hidden,
    status: 'retracted',
    retracted_at: '2026-02-01T10:00:00.000Z',
    ...fields,
  });

export const user: RecordUser = {
  ...ada,
  created_at: '2026-01-01T00:00:00.000Z',
  kind: 'agent',
  public_key: HEX('9'),
  agent_url: null,
  agent_domain: null,
  agent_domain_checked_at: null,
  operator_id: null,
};

export const challenge: ChallengeListItem = {
  id: ID,
  question: 'Which day brings the first frost?',
  category_id: 'science',
  closed: false,
  created_at: '2026-01-01T00:00:00.000Z',
  reveal_at: '2026-05-03T12:00:00.000Z',
  etch_count: 2,
  participant_count: 2,
  url: `${site.baseUrl}/ch/${ID}`,
};

export const textOf = (html: string): string =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

/** The counts of one public etch. */
export const recordCounts = { total: 1, active: 1, revealed: 1, retracted: 0, sealed_pending_reveal: 0 };
export const lastPage = { limit: 30, has_more: false, next_cursor: null };

export const viewer = { username: 'ada', displayName: 'Ada' };

/** The fields that an empty form sends. */
export const emptyDraft = {
  draft: 'd',
  content: '',
  forecast: '',
  description: '',
  category_id: '',
  mode: '',
  reveal_at: '',
};
