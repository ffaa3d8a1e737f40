import type { Clock } from '../db/clock.ts';
import type { ViewContext } from '../etches/view.ts';
import type { Reading, Standby } from '../standby/standby.ts';
import type { Freshness } from './freshness.ts';
import type { KnownTotals } from './known-totals.ts';
import type { SearchDb } from './search-db.ts';

export interface SearchDependencies {
  searchDb: SearchDb;
  freshness: Freshness;
  clock: Clock;
  /** shared by the searches of this process */
  known: KnownTotals;
  view: ViewContext;
  /** where lists are read while it can answer for the primary */
  standby?: { reads: Standby; searchDb: SearchDb };
  /** is told what the answer shows, where that is to be confirmed */
  shows?: Reading['shows'];
}
