import type { TimeSlices } from './time-slices.ts';
import { sortInTimeSlices } from './time-slices.ts';
import { inOrder, isTakenDown } from './public-data.ts';
import type { PublicEtch } from './public-data.ts';
import { describedTarget } from './resolution.ts';
import type { ResolutionWords } from './resolution.ts';
import { readWords } from './words.ts';

/** Resolutions by target, in order of attestation. */
export interface ResolverRecord {
  standing: Map<string, { etch: PublicEtch; words: ResolutionWords }[]>;
  /** by the author */
  retracted: Map<string, PublicEtch[]>;
  /** by the operator */
  takenDown: Map<string, PublicEtch[]>;
}

/** @param etches of one author */
export function* readResolver(etches: readonly PublicEtch[]): TimeSlices<ResolverRecord> {
  const record: ResolverRecord = { standing: new Map(), retracted: new Map(), takenDown: new Map() };
  const candidates: { etch: PublicEtch; target: string }[] = [];
  for (const etch of etches) {
    yield;
    if (etch.mode !== 'instant' || etch.challenge !== null || etch.chain.anchored_at === null) continue;
    const target = describedTarget(etch.description);
    if (target !== null) candidates.push({ etch, target });
  }
  for (const { etch, target } of yield* sortInTimeSlices(candidates, (a, b) => inOrder(a.etch, b.etch))) {
    yield;
    if (etch.status === 'retracted') {
      push(isTakenDown(etch) ? record.takenDown : record.retracted, target, etch);
      continue;
    }
    const words = readWords(etch.content ?? '');
    if (words.kind === 'resolution' && words.target === target)
      push(record.standing, target, { etch, words });
  }
  return record;
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}
