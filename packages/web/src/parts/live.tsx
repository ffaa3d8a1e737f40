export const liveHost = (live: { url: string; state: string; waits: boolean }) => ({
  'data-live': live.url,
  'data-state': live.state,
  ...(live.waits ? { 'data-waits': 'true' } : {}),
});

export function LiveNote() {
  return <p class="live-note" role="status" data-live-note=""></p>;
}

/** The island fills it in: a number in the page would be wrong. */
export function Countdown({ until }: { until: string }) {
  return <span class="countdown" role="timer" data-until={until} hidden></span>;
}
