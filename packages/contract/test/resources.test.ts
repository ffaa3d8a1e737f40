import * as contract from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { issuesOf, serverAjv } from './support/validator.ts';

const JUDGED = `etch_id user_id username challenge_id? state reason? forecast? attested_at? outcome? resolution_id?
  self_resolved binary? brier? log? quantile_loss? unit?`;
const SCORED = `forecasts scored late malformed void unresolved pending sealed retracted taken_down self_resolved
  retractions takedowns`;
const AGENT = 'user_id username display_name public_key agent_url? kind assurance verified created_at';
/** docs/specification.md#resources and docs/webhooks.md. `?`: may be null. `+`: optional. */
const FIELDS: Record<string, string> = {
  SealedEtch: `id status mode hash description content? salt? created_at? created_on reveal_at revealed_at?
    retracted_at? author category challenge? chain signature? canonical_string? code url short_url verify_url`,
  RevealedEtch: `id status mode hash description content salt created_at created_on reveal_at? revealed_at
    retracted_at? author category challenge? chain signature? canonical_string code url short_url verify_url`,
  RetractedEtch: `id status mode hash description content? salt? created_at? created_on reveal_at? revealed_at?
    retracted_at retracted_by+ retraction_reason+ author category challenge? chain signature? canonical_string? code url short_url verify_url`,
  Beacon: 'chain round signature',
  OpeningFile: '_format _what_this_is etch_id hash chain_hash round ciphertext public_key signature',
  EtchPromise: 'text path public_key signature nonce',
  Author: `user_id username display_name social_handle? social_verified_at? social_verified kind verified official`,
  Category: 'id label',
  EtchChallenge: 'id question url',
  ContentSignature: 'value public_key',
  Chain: `status attestation_uid? tx_hash? anchored_at? revocation_status revocation_tx_hash? revoked_onchain_at?
    attscan_url? tx_url? revocation_tx_url? root? proof? tree_size? tree_version? revocation_root?
    revocation_proof? revocation_tree_version? revocation_attestation_uid?`,
  ChallengeListItem: `id question category_id created_at reveal_at closed etch_count participant_count url`,
  CreatedChallenge: 'id question category creator_id created_at reveal_at url',
  ChallengeDetail: `id code short_url question category creator_id creator created_at reveal_at closed`,
  ChallengeCreator: 'username display_name social_handle? social_verified_at? official',
  ChallengeCounts: 'etches participants sealed revealed retracted taken_down+',
  Me: 'id username display_name social_handle? social_verified_at? created_at social_linked',
  RecordUser: `user_id username display_name social_handle? social_verified_at? created_at kind public_key?
    agent_url? agent_domain? agent_domain_checked_at? operator_id? official verified`,
  AccountCounts: 'total active revealed retracted taken_down+ sealed_pending_reveal',
  FoundAccount: 'user_id username display_name kind verified social_handle? match_count counts',
  Follows: 'users categories challenges etches count',
  Watching: 'pending settled challenges counts',
  WatchingCounts: 'pending settled challenges',
  Limits: 'account etches authenticated_with',
  LimitsAccount: 'kind assurance verified',
  Allowance: 'per_day remaining refill_per_hour',
  KeyCredential: 'type scope key_id',
  SessionCredential: 'type',
  Receipt: `_format _what_this_is _verify_without_etch etch_id status author canonical_string? hash inclusion?
    revocation? signature? chain former+`,
  ReceiptAuthor: 'user_id username',
  ReceiptInclusion: 'root proof tree_size tree_version leaf_rule node_rule',
  ReceiptChain: `name chain_id attestation_contract schema_uid attestation_uid? expect_onchain? relayer tx_hash?
    anchored_at?`,
  AttestationProof: 'header transaction_index nodes log preimage',
  RevocationProof: 'header transaction_index nodes log',
  UidPreimage: 'schema recipient attester time expiration_time revocable ref_uid data bump',
  TreeRevocation: `retracted_at root? proof? tree_size? tree_version? attestation_uid? tx_hash? kind`,
  DirectRevocation: 'retracted_at attestation_uid? tx_hash? kind?',
  Verification: `id status hash canonical_string? recomputed_hash? recomputed_hash_matches reconstructable
    reconstructable_note? checks chain etch`,
  Check: 'key title verdict badge detail evidence learn',
  Evidence: 'label value copy',
  VerificationChain: `anchored attestationUid? onchainTimestamp? revoked revokedAt? explorerUrl? attester?
    dataMatchesHash txUrl? tx_url? revocation_tx_url?`,
  NumberedPage: 'number pages total',
  SearchPage: 'number pages total limit',
  CursorPage: 'limit has_more next_cursor?',
  Agent: AGENT,
  VouchedAgent: `${AGENT} agent_domain? agent_domain_checked_at? operator_id?`,
  LeafV1: 'hash',
  LeafV2: 'user_id hash',
  ChallengeListQuery: 'status sort categories',
  SearchQuery: 'categories statuses q? sort following',
  AccountSearchQuery: 'q? categories sort',
  ChallengeSearchQuery: 'q? status categories sort',
  Ping: 'id type timestamp data',
  EventPage: 'limit has_more next_cursor',
  Webhook: `id url types created_at last_delivered_at? paused_at? failing_since? disabled_at? disabled_reason?
    old_secrets_until?`,
  Delivery: `event_id type state attempts created_at last_attempt_at? next_attempt_at? last_status? problem?`,
  GuideStep: 'id title done',
  GuideQuestion: 'id text',
  ErrorDetail: 'path message',
  ErrorEnvelope: 'error',
  Key: 'id name scope prefix created_at last_used_at?',
  ListedKey: 'id name scope prefix created_at last_used_at? revoked_at?',
  Batch: 'root kind tree_version tree_size attestation_uid tx_hash anchored_at',
  BatchDetail: 'root kind tree_version tree_size attestation_uid tx_hash anchored_at leaves',
  AccountScore: '_format account counts scores forecasts page',
  AccountScores: 'by_others self_resolved',
  AccountScoreCounts: `${SCORED} sealed_etches`,
  ChallengeScore: '_format challenge resolution counts scores standings page',
  ChallengeScoreCounts: SCORED,
  ChallengeResolution: 'state reason? first? corrections corrections_total taken_down taken_down_total',
  TakenDownResolution: 'etch_id attested_at',
  StandingResolution: 'etch_id user_id username outcome source attested_at',
  ScoredAccount: 'user_id username',
  ScoredChallenge: 'id question reveal_at creator_id',
  ScoreSummary: 'n brier log quantile_loss calibration discrimination murphy',
  ScoreMean: 'n mean?',
  ScoreMeans: 'binary several',
  QuantileLossMean: 'n mean? unit? levels',
  CalibrationBin: 'from n yes mean_forecast? observed? interval?',
  Discrimination: 'yes no difference? area?',
  MurphyParts: 'n groups brier? reliability? resolution? uncertainty?',
  GivenForecast: 'form outcomes quantiles',
  ForecastOutcome: 'name millionths',
  ForecastQuantile: 'level value',
  JudgedForecast: JUDGED,
  Standing: `${JUDGED} rank? retractions takedowns`,
  Follow: 'target_type target_id',
  Guide: 'progress questions answers username proof_etch? reader',
  GuideTester: 'user_id? username? progress answers',
};

interface Shape {
  title: string;
  properties: Record<string, object>;
  required: string[];
  additionalProperties: boolean;
}

const ajv = serverAjv();
const shapes = contract as unknown as Record<string, Shape>;

describe('shapes', () => {
  it.each(Object.entries(contract.EVENTS))(
    'an event %s names its type and has the fields of all',
    (type, { schema }) => {
      expect(schema.properties.type).toMatchObject({ enum: [type] });
      expect(Object.keys(schema.properties)).toEqual(['id', 'type', 'timestamp', 'data']);
      expect(schema.required).toEqual(['id', 'type', 'timestamp', 'data']);
    },
  );

  it.each(Object.entries(FIELDS))('%s has exactly its fields, with their nulls', (name, fields) => {
    const shape = shapes[name];
    const listed = fields.split(/\s+/);
    const actual = Object.entries(shape?.properties ?? {}).map(
      ([field, schema]) => `${field}${ajv.compile(schema)(null) ? '?' : ''}`,
    );
    expect(actual.sort()).toEqual(listed.map((field) => field.replace('+', '')).sort());
    const required = listed.filter((field) => !field.endsWith('+')).map((field) => field.replace('?', ''));
    expect([...(shape?.required ?? [])].sort()).toEqual(required.sort());
    expect(shape?.additionalProperties).toBe(false);
    expect(shape?.title).toBe(name);
  });

  it('has only the shapes in the table', () => {
    const named = Object.values(shapes)
      .map((value) => (value as Partial<Shape> | undefined)?.title)
      .filter((title): title is string => typeof title === 'string');
    // These have their own tests.
    const others = ['Error', 'EvidenceFile', 'GuideAnswers', 'Witness', 'Etch', 'Event'];
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((title) => !(title in FIELDS) && !others.includes(title))).toEqual([]);
  });

  it('has etches of three statuses, each with its fields set and the others null', () => {
    const valid = ajv.compile(contract.Etch);
    const revealed = contract.ROUTES.getEtch.success.example.etch;
    const { etch: sealed } = contract.ROUTES.createEtch.success.example;
    const { etch: retracted } = contract.ROUTES.retractEtch.success.example;
    for (const etch of [revealed, sealed, retracted]) {
      expect(valid(etch), etch.status).toBe(true);
      for (const field of ['content', 'salt', 'created_at', 'canonical_string'] as const) {
        const other = etch[field] === null ? revealed[field] : null;
        expect(valid({ ...etch, [field]: other }), `${etch.status} ${field}`).toBe(false);
      }
    }
    expect(valid({ ...sealed, status: 'revealed' })).toBe(false);
    expect(valid({ ...sealed, mode: 'instant' })).toBe(false);
    expect(valid({ ...revealed, retracted_at: revealed.revealed_at })).toBe(false);
    expect(valid({ ...retracted, retracted_at: null })).toBe(false);
  });

  it('has events whose type determines their content', () => {
    const valid = ajv.compile(contract.Event);
    const [event] = contract.ROUTES.listEvents.success.example.events;
    const [challenge] = contract.ROUTES.listChallenges.success.example.challenges;
    expect(valid(event)).toBe(true);
    expect(valid({ ...event, data: { challenge } })).toBe(false);
    expect(valid({ ...event, type: 'challenge.closed' })).toBe(false);
    expect(valid({ ...event, type: 'challenge.closed', data: { challenge } })).toBe(true);
    const { discriminator } = contract.Event as { discriminator?: { mapping: object } };
    expect(Object.keys(discriminator?.mapping ?? {})).toEqual(contract.EVENT_TYPES);
  });

  it('keeps the answers of the guide by question, oldest first', () => {
    const valid = ajv.compile(contract.GuideAnswers);
    expect(valid({ one: ['first', 'second'], two: [] })).toBe(true);
    expect(valid({ one: 'first' })).toBe(false);
  });

  it('has evidence with proofs, or with the reason for a missing proof', () => {
    const valid = ajv.compile(contract.EvidenceFile);
    const { wait, ...file } = contract.ROUTES.getEvidence.success.example;
    expect(Object.keys(file).sort()).toEqual(['_format', 'commitment', 'receipt', 'tombstone']);
    expect(valid({ ...file, wait })).toBe(true);
    expect(valid(file)).toBe(true);
    expect(valid({ ...file, wait: null })).toBe(false);
    expect(valid({ ...file, proof: null })).toBe(false);
  });

  it('rejects unknown fields at every level', () => {
    const etch = contract.ROUTES.getEtch.success.example.etch;
    const valid = ajv.compile(contract.Etch);
    expect(issuesOf(valid, etch)).toEqual([]);
    expect(valid({ ...etch, sealed_content: 'x' })).toBe(false);
    expect(valid({ ...etch, author: { ...etch.author, email: 'x' } })).toBe(false);
    expect(valid({ ...etch, chain: { ...etch.chain, nonce: 1 } })).toBe(false);
  });
});

describe('closed sets', () => {
  it('equal the specification', () => {
    expect(contract.TOPIC_IDS.join(' ')).toBe(
      'crypto markets sports politics tech ai science business culture personal other',
    );
    expect(contract.TOPICS.map((topic) => topic.id)).toEqual(contract.TOPIC_IDS);
    expect(contract.ETCH_STATUSES).toEqual(['sealed', 'revealed', 'retracted']);
    expect(contract.ETCH_MODES).toEqual(['instant', 'delayed']);
    expect(contract.CHAIN_STATUSES).toEqual(['pending', 'anchored', 'failed']);
    expect(contract.REVOCATION_STATUSES).toEqual(['none', 'pending', 'revoked', 'failed']);
    expect(contract.CHALLENGE_STATUSES).toEqual(['open', 'closed', 'all']);
    expect(contract.CHALLENGE_SORTS).toEqual(['soonest', 'newest', 'oldest', 'most', 'least']);
    expect(contract.SEARCH_SORTS).toEqual(['best', 'newest', 'oldest']);
    expect(contract.ACCOUNT_SORTS).toEqual(['best', 'most', 'newest']);
    expect(contract.ACCOUNT_KINDS).toEqual(['human', 'agent']);
    expect(contract.ASSURANCES).toEqual(['human', 'keypair', 'verified']);
    expect(contract.SCOPES).toEqual(['read', 'write']);
    expect(contract.FOLLOW_TARGETS).toEqual(['user', 'category', 'challenge', 'etch']);
    expect(contract.CHECK_KEYS).toEqual(['words', 'batch', 'chain']);
    expect(contract.VERDICTS).toEqual(['pass', 'fail', 'wait', 'info']);
  });

  it('have separate formats for times and hashes', () => {
    const [hex, at] = ['ab'.repeat(32), '2026-01-02T03:04:05.678'];
    for (const [schema, right, ...wrong] of [
      [contract.Time, `${at}Z`, '2026-01-02T03:04:05Z', `${at}+00:00`, '2026-02-30T03:04:05.678Z'],
      [contract.OffsetTime, `${at}+00:00`, `${at}Z`],
      [contract.Hex32, hex, hex.toUpperCase()],
      [contract.ChainHex32, `0x${hex}`, hex],
      [contract.Code, 'k3wq7n', 'k3wq7', 'K3WQ7N', 'k3wq7l', 'k3wq71'],
    ] as const)
      expect([right, ...wrong].filter(ajv.compile(schema))).toEqual([right]);
  });
});
