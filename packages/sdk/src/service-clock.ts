/** Estimated from the `Date` headers of the answers. */
export interface ServiceClock {
  /** milliseconds since 1970; the local clock before the first `Date` header */
  readonly now: () => number;
  read(headers: Headers, sentAt: number): number | null;
}

export function makeServiceClock(): ServiceClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    read(headers, sentAt) {
      const said = Date.parse(headers.get('date') ?? '');
      if (Number.isNaN(said)) return null;
      // A cache's `Age` counts the seconds since the service answered (RFC 9111).
      const age = /^\d{1,9}$/.exec(headers.get('age') ?? '')?.[0] ?? 0;
      const earliest = said + Number(age) * 1000;
      const local = Date.now();
      // A local clock within the precision of the header and the duration of the request counts as correct.
      const latest = earliest + 1000 + Math.max(0, local - sentAt);
      ahead = Math.min(Math.max(local, earliest), latest) - local;
      return earliest;
    },
  };
}
