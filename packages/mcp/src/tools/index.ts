import { type Settings, type Toolset, TOOLSETS } from '../settings.ts';
import type { Tool } from '../tool.ts';
import { audit, receipt, verify } from './verify.ts';
import { askChallenge, challenge, enterChallenge } from './challenges.ts';
import { events, limits, record, whoami } from './account.ts';
import { evidence } from './evidence.ts';
import { open, opening } from './openings.ts';
import { score } from './score.ts';
import { search, searchAccounts, searchChallenges } from './search.ts';
import { etch, retract, reveal, seal, show, wait } from './etches.ts';
import { forecast, resolve } from './forecasts.ts';
import { register } from './register.ts';
import { sealBlind } from './seal-blind.ts';

const SETS: Readonly<Record<Toolset, readonly Tool[]>> = {
  read: [show, search, searchAccounts, searchChallenges, record, challenge, events, wait, whoami, limits],
  verify: [verify, receipt, evidence, audit, opening, open],
  write: [register, etch, seal, sealBlind, reveal, retract],
  forecast: [searchChallenges, challenge, score, forecast, resolve, askChallenge, enterChallenge],
};

/** A service would receive the text. */
const ON_OWN_MACHINE: ReadonlySet<Tool> = new Set([open, sealBlind]);

export type Connection = Pick<Settings, 'perRequest' | 'readOnly' | 'toolsets'>;

export function toolsFor({ perRequest, readOnly, toolsets = TOOLSETS }: Connection): readonly Tool[] {
  return [...new Set(toolsets.flatMap((name) => SETS[name]))].filter(
    (tool) =>
      !(perRequest === true && ON_OWN_MACHINE.has(tool)) &&
      !(readOnly === true && tool.annotations.readOnlyHint !== true),
  );
}
