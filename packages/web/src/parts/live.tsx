import type { VNode } from 'preact';

/** The attributes by which the island knows what to watch, what is shown, and what to say once it changed. */
export const liveHost = (live: { url: string; state: string; said: string; waits: boolean }) => ({
  'data-live': live.url,
  'data-state': live.state,
  'data-said': live.said,
  ...(live.waits ? { 'data-waits': 'true' } : {}),
});

/** Where the island says that something changed; nothing is there without it. */
export function LiveNote(): VNode {
  return <p class="live-note" role="status" data-live-note=""></p>;
}

/** How long until then, filled in by the island: a page that says it itself would be wrong a second later. */
export function Countdown({ until }: { until: string }): VNode {
  return <span class="countdown" role="timer" data-until={until} hidden></span>;
}
