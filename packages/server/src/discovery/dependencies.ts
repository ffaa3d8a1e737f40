import type { Clock } from '../db/clock.ts';
import type { ViewContext } from '../etches/view.ts';
import type { Reading, Standby } from '../platform/standby/standby.ts';
import type { Freshness } from './freshness.ts';
import type { KnownTotals } from './known-totals.ts';
import type { SearchDb } from './search-db.ts';

export interface SearchDependencies {
  searchDb: SearchDb;
  freshness: Freshness;
  clock: Clock;
  known: KnownTotals;
  view: ViewContext;
  standby?: { reads: Standby; searchDb: SearchDb };
  /** items that the primary confirms */
  shows?: Reading['shows'];
}
