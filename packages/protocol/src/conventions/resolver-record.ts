import type { Portions } from './portions.ts';
import { sortInPortions } from './portions.ts';
import { inOrder } from './public-data.ts';
import type { PublicEtch } from './public-data.ts';
import { describedAs, RESOLUTION_TAG } from './resolution.ts';
import type { ResolutionWords } from './resolution.ts';
import { readWords } from './words.ts';

/** What of somebody's record may have resolved something, each list in its order. */
export interface ResolverRecord {
  /** by what they resolve */
  standing: Map<string, { etch: PublicEtch; words: ResolutionWords }[]>;
  /** retracted ones, by what their description says they resolved */
  named: Map<string, PublicEtch[]>;
  /** retracted ones that do not say what they were */
  unnamed: PublicEtch[];
}

/** Reads a record once, whatever is asked of it. @param etches of one author */
export function* readResolver(etches: readonly PublicEtch[]): Portions<ResolverRecord> {
  const record: ResolverRecord = { standing: new Map(), named: new Map(), unnamed: [] };
  const candidates: PublicEtch[] = [];
  for (const etch of etches) {
    yield;
    if (etch.mode !== 'instant' || etch.challenge !== null || etch.chain.anchored_at === null) continue;
    if (etch.status === 'retracted' || etch.content?.startsWith(RESOLUTION_TAG) === true)
      candidates.push(etch);
  }
  for (const etch of yield* sortInPortions(candidates, inOrder)) {
    yield;
    if (etch.status === 'retracted') noteRetracted(etch, record);
    else noteStanding(etch, record);
  }
  return record;
}

// One that calls itself something else would be no resolution any more once its words are gone.
function noteStanding(etch: PublicEtch, { standing }: ResolverRecord): void {
  const words = readWords(etch.content ?? '');
  if (words.kind !== 'resolution' || describedAs(etch.description, words.target) === 'else') return;
  push(standing, words.target, { etch, words });
}

function noteRetracted(etch: PublicEtch, { named, unnamed }: ResolverRecord): void {
  const target = etch.description.split(' ')[1] ?? '';
  const said = describedAs(etch.description, target);
  if (said === null) unnamed.push(etch);
  else if (said === 'this') push(named, target, etch);
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}
