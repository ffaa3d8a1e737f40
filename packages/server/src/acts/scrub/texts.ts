import { ETCH_COLUMNS } from '../../etches/row.ts';

/** Chosen by users or derived from their text. */
const THEIRS = Symbol('text of strangers');

const NEVER = 'never changes and is never erased';
const OURS = 'our own words';
const CHAIN = 'public on the chain, or a digest';
const CLOSED = 'one of a closed set';

/** A column of an etch counts as users' text, unless the list below says otherwise. */
const etchTexts = Object.fromEntries(
  Object.entries(ETCH_COLUMNS)
    .filter(([, type]) => type === 'text' || type === 'bytea')
    .map(([name]) => [name, THEIRS]),
);

/** Says of every column why it contains no users' text. A test compares the list with the schema. */
export const TEXT_COLUMNS: Readonly<Record<string, Readonly<Record<string, typeof THEIRS | string>>>> = {
  account: {
    kind: CLOSED,
    username: NEVER,
    display_name: THEIRS,
    issuer: NEVER,
    subject: NEVER,
    public_key: NEVER,
    agent_url: THEIRS,
    suspended_for: CLOSED,
    hidden_for: CLOSED,
    agent_domain: THEIRS,
    social_handle: THEIRS,
  },
  account_count: { category_id: CLOSED },
  account_index: { key: CHAIN, peaks: CHAIN },
  account_index_state: { held: OURS },
  account_search: { username: NEVER, handle: THEIRS, names: THEIRS, source: THEIRS },
  allowance: { kind: CLOSED },
  anchor_job: { halted: OURS },
  anchor_tx: {
    sender: CHAIN,
    action: CLOSED,
    calldata: CHAIN,
    state: CLOSED,
    tx_hash: CHAIN,
    block_hash: CHAIN,
    note: OURS,
  },
  anchored_told: { uid: CHAIN },
  api_key: { name: 'kept with its row, which is evidence', scope: CLOSED, prefix: NEVER, hash: CHAIN },
  batch: { root: CHAIN, uid: CHAIN },
  batch_leaf: { proof: CHAIN },
  chain_state: { genesis_hash: CHAIN, contract: CHAIN, schema_uid: CHAIN, failure: OURS, searched: OURS },
  chain_tombstone: { uid: CHAIN, root: CHAIN, state: CLOSED },
  challenge: { code: NEVER, question: THEIRS, category_id: CLOSED },
  challenge_search: { question: THEIRS },
  challenge_tally: { category_id: CLOSED },
  description_takedown: { target: CLOSED, reason: CLOSED },
  earlier_attestation: { uid: CHAIN },
  embedded_person: { name: NEVER, typed: THEIRS, social_handle: THEIRS },
  erasure: { hash: CHAIN, taken_down: CLOSED },
  etch: { ...etchTexts, code: NEVER, mode: CLOSED, status: CLOSED, hash: CHAIN, category_id: CLOSED },
  etch_search: { category_id: CLOSED, status: CLOSED, text: THEIRS },
  event: { type: CLOSED },
  event_queue: { type: CLOSED },
  evidence: { block_hash: CHAIN, header: CHAIN, nodes: CHAIN, wait: OURS },
  former_attestation: { uid: CHAIN },
  former_chain: { name: OURS, genesis_hash: CHAIN, contract: CHAIN, schema_uid: CHAIN },
  former_tx: { sender: CHAIN, tx_hash: CHAIN, block_hash: CHAIN, header: CHAIN, nodes: CHAIN },
  follow: { target_type: CLOSED, target_id: 'an id or a topic' },
  guide_answer: { question: 'an id of ours', answer: NEVER },
  idempotency: { key: 'kept for the life of the record', endpoint: OURS, fingerprint: THEIRS },
  idempotency_guess: { key: 'kept for the life of the record, and here for an hour' },
  issuer_grant: {
    hash: 'of a random value',
    grant_hash: 'of a random value',
    payload: 'encrypted under SECRET_KEYS',
  },
  lease: { name: OURS, holder: OURS },
  log_checkpoint: { origin: OURS, note: OURS },
  log_cosignature: { origin: OURS, witness: OURS, line: 'signed by a witness that the operator named' },
  log_entry: { data: 'public: the data of an attestation', leaves: 'public: ids and hashes' },
  log_hash: { hash: 'public: of attestations' },
  log_witness: { origin: OURS, witness: OURS, fault: OURS },
  revocation: { kind: CLOSED, hash: 'of a random value' },
  schema_migration: { name: OURS },
  operator_act: { act: CLOSED, reason: CLOSED, by: OURS },
  scrub_mark: { relation: OURS },
  secret_check: { key_id: 'of a random value', value: 'of a random value' },
  tombstone_search: { genesis_hash: CHAIN },
  topic_count: { category_id: CLOSED },
  tx_attempt: { hash: CHAIN, raw: CHAIN },
  used_signature: { digest: CHAIN },
  web_session: { hash: 'of a random value', tokens: 'encrypted under SECRET_KEYS' },
  webhook: {
    url: THEIRS,
    types: CLOSED,
    secret: 'random, encrypted under SECRET_KEYS',
    disabled_reason: OURS,
  },
  webhook_delivery: { type: CLOSED, state: CLOSED, problem: OURS },
  webhook_old_secret: { secret: 'random, encrypted under SECRET_KEYS' },
  withheld: { uid: CHAIN, status: CLOSED, parts: THEIRS },
  witness: { kind: CLOSED, proof: NEVER, wait: OURS },
};

export const THEIR_COLUMNS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(TEXT_COLUMNS)
    .map(
      ([table, columns]) => [table, Object.keys(columns).filter((name) => columns[name] === THEIRS)] as const,
    )
    .filter(([, columns]) => columns.length > 0),
);

/** Rewritten last: dropped samples stay in their files. */
export const CATALOGUES = ['pg_statistic', 'pg_statistic_ext_data'] as const;

export const SCRUBBED: readonly string[] = [...Object.keys(THEIR_COLUMNS), ...CATALOGUES];
