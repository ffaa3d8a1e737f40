import type { Tool } from '../tool.ts';
import { challenge } from './reading/challenge.ts';
import { evidence } from './reading/evidence.ts';
import { limits } from './reading/limits.ts';
import { open } from './reading/open.ts';
import { opening } from './reading/opening.ts';
import { receipt } from './reading/receipt.ts';
import { record } from './reading/record.ts';
import { score } from './reading/score.ts';
import { searchAccounts } from './reading/search-accounts.ts';
import { searchChallenges } from './reading/search-challenges.ts';
import { search } from './reading/search.ts';
import { show } from './reading/show.ts';
import { verify } from './reading/verify.ts';
import { whoami } from './reading/whoami.ts';
import { askChallenge } from './writing/ask-challenge.ts';
import { enterChallenge } from './writing/enter-challenge.ts';
import { etch } from './writing/etch.ts';
import { register } from './writing/register.ts';
import { retract } from './writing/retract.ts';
import { reveal } from './writing/reveal.ts';
import { sealBlind } from './writing/seal-blind.ts';
import { seal } from './writing/seal.ts';

const READING = [
  ...[show, search, searchAccounts, searchChallenges, record, challenge, score],
  ...[verify, receipt, evidence, whoami, limits, opening],
] as const;
const WRITING = [register, etch, seal, reveal, retract, askChallenge, enterChallenge] as const;

/** What a service must not be asked to do: it would have the text that it is to do without. */
const ON_OWN_MACHINE = { reading: [open], writing: [sealBlind] };

/** The tools of a connection: those that read, then those that write. */
export function toolsFor({
  perRequest = false,
  readOnly = false,
}: {
  perRequest?: boolean | undefined;
  readOnly?: boolean | undefined;
}): readonly Tool[] {
  return [
    ...READING,
    ...(perRequest ? [] : ON_OWN_MACHINE.reading),
    ...(readOnly ? [] : [...WRITING, ...(perRequest ? [] : ON_OWN_MACHINE.writing)]),
  ];
}
