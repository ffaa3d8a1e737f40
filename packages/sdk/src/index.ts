export * from './client.ts';
export type { AccountSearch, ChallengeSearch, EtchSearch, RecordStart } from './discovery.ts';
export type { ChallengeEtches, ChallengeFilter } from './challenges.ts';
export type { BlindBody, BlindOptions, OpenBlindOptions, OpenedBlind } from './blind.ts';
export type { EtchBody, Etched, EtchOptions } from './etches.ts';
export { readFacts } from './facts.ts';
export { findOperation, listOperations } from './find-operation.ts';
export type { FoundOperation } from './find-operation.ts';
export type { IdentityFacts, ServiceFacts } from './facts.ts';
export * from './key-pair.ts';
export type { CallOptions, CreateOptions, InputOf } from './operations.ts';
export type { CursorStart, NumberStart, Paged } from './paged.ts';
export type { Registration } from './account.ts';
export { composeResolution } from './resolution.ts';
export type { ComposedResolution, ResolutionParts } from './resolution.ts';
export type { RetryPolicy } from './retry.ts';
export type { Answer, ClientOptions, Credential } from './transport.ts';
export type { VerifiedEvidence, VerifyEvidenceOptions, WaitForEvidenceOptions } from './evidence.ts';
export type { Verified, VerifiedTrust, VerifyOptions } from './verdict.ts';
export type { WaitOptions } from './wait.ts';
export type {
  Agent,
  Author,
  Batch,
  BatchDetail,
  ChallengeDetail,
  ChallengeListItem,
  CreatedChallenge,
  ErrorCode,
  Delivery,
  DelayedEtch,
  ErrorDetail,
  Etch,
  EtchInChallenge,
  EtchPromise,
  EtchStatus,
  EventType,
  Event,
  FollowTarget,
  FoundAccount,
  InstantEtch,
  Key,
  Limits,
  ListedKey,
  Me,
  RetractedEtch,
  RevealedEtch,
  Scope,
  SealedEtch,
  TopicId,
  Webhook,
  WebhookEvents,
} from '@svc/contract/types';
export type { Receipt } from '@svc/protocol';
export { ReceiptError, sharedWords } from '@svc/protocol';
export type { Misfit, Pins } from '@svc/verifier/answers';
export type { AuthorCheck, PromiseCheck, Trust, Verification } from '@svc/verifier';
export { checkPromise, isDevelopmentChain, overall } from '@svc/verifier';
export { publicFieldsOf } from './etches.ts';
