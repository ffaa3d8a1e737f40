import type { Settings } from '../settings.ts';
import type { Tool } from '../tool.ts';
import { type Toolset, TOOLSETS } from '../toolsets.ts';
import { audit } from './reading/audit.ts';
import { challenge } from './reading/challenge.ts';
import { events } from './reading/events.ts';
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
import { wait } from './reading/wait.ts';
import { whoami } from './reading/whoami.ts';
import { askChallenge } from './writing/ask-challenge.ts';
import { enterChallenge } from './writing/enter-challenge.ts';
import { etch } from './writing/etch.ts';
import { forecast } from './writing/forecast.ts';
import { register } from './writing/register.ts';
import { resolve } from './writing/resolve.ts';
import { retract } from './writing/retract.ts';
import { reveal } from './writing/reveal.ts';
import { sealBlind } from './writing/seal-blind.ts';
import { seal } from './writing/seal.ts';

const SETS: Readonly<Record<Toolset, readonly Tool[]>> = {
  read: [show, search, searchAccounts, searchChallenges, record, challenge, events, wait, whoami, limits],
  verify: [verify, receipt, evidence, audit, opening, open],
  write: [register, etch, seal, sealBlind, reveal, retract],
  forecast: [searchChallenges, challenge, score, forecast, resolve, askChallenge, enterChallenge],
};

/** A service would receive the text, or check itself. */
const ON_OWN_MACHINE: ReadonlySet<Tool> = new Set([open, sealBlind, audit]);

export type Connection = Pick<Settings, 'perRequest' | 'readOnly' | 'toolsets'>;

export function toolsFor({ perRequest, readOnly, toolsets = TOOLSETS }: Connection): readonly Tool[] {
  return [...new Set(toolsets.flatMap((name) => SETS[name]))].filter(
    (tool) =>
      !(perRequest === true && ON_OWN_MACHINE.has(tool)) &&
      !(readOnly === true && tool.annotations.readOnlyHint !== true),
  );
}
