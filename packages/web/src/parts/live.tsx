import type { VNode } from 'preact';

/** Attributes that tell the island what to watch, what is shown, and what to announce. */
export const liveHost = (live: { url: string; state: string; said: string; waits: boolean }) => ({
  'data-live': live.url,
  'data-state': live.state,
  'data-said': live.said,
  ...(live.waits ? { 'data-waits': 'true' } : {}),
});

/** Where the island announces changes; empty without it. */
export function LiveNote(): VNode {
  return <p class="live-note" role="status" data-live-note=""></p>;
}

/** The remaining time, filled in by the island: a number in the page would be wrong a second later. */
export function Countdown({ until }: { until: string }): VNode {
  return <span class="countdown" role="timer" data-until={until} hidden></span>;
}
