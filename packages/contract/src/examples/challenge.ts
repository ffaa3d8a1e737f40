import type {
  ChallengeCounts,
  ChallengeDetail,
  ChallengeListItem,
  CreatedChallenge,
} from '../resources/challenge.ts';
import type { SealedEtch } from '../resources/etch.ts';
import type { NumberedPage } from '../resources/page.ts';
import { author, sealedEtch } from './etch.ts';
import * as world from './shared-values.ts';

const { username, display_name, social_handle, social_verified_at, official } = author;
const question = 'On which day does the lighthouse shine again?';
const url = `${world.origin}/ch/${world.challengeId}`;
const times = { created_at: '2026-01-02T02:00:00.000Z', reveal_at: '2026-03-01T12:00:00.000Z' };
const category = { id: 'culture', label: 'Culture' } as const;

export const numberedPage: NumberedPage = { number: 1, pages: 1, total: 1 };

export const challengeItem: ChallengeListItem = {
  id: world.challengeId,
  question,
  category_id: category.id,
  ...times,
  closed: false,
  etch_count: 1,
  participant_count: 1,
  url,
};

export const createdChallenge: CreatedChallenge = {
  id: world.challengeId,
  question,
  category,
  creator_id: world.adaId,
  ...times,
  url,
};

export const challengeDetail: ChallengeDetail = {
  id: world.challengeId,
  code: 'h5r2zc',
  short_url: `${world.origin}/ch/h5r2zc`,
  question,
  category,
  creator_id: world.adaId,
  creator: { username, display_name, social_handle, social_verified_at, official },
  ...times,
  closed: false,
};

export const challengeCounts: ChallengeCounts = {
  etches: 1,
  participants: 1,
  sealed: 1,
  revealed: 0,
  retracted: 0,
};

export const challengeEtch: SealedEtch = {
  ...sealedEtch,
  description: `Sealed answer to: ${question}`,
  category,
  challenge: { id: world.challengeId, question, url },
};
