import { changeText, type LiveMessage } from '../live-state.ts';
import { spanText } from '../format.ts';

/** Shows nothing that other readers do not see. */
const POLL_MS = 15_000;
const POLLS_BEFORE_LISTENING = 4;
/** Readers wait for the same moment, so each waits a random time more. */
const SPREAD_MS = 700;

const host = document.querySelector<HTMLElement>('[data-live]')!;
const url = host.dataset['live']!;
const note = host.querySelector<HTMLElement>('[data-live-note]')!;

let shown = host.dataset['state']!;
let wanted = shown;
let behind: number | undefined;
let source: EventSource | undefined;
let poll: ReturnType<typeof setInterval> | undefined;
let polls = 0;
let refreshing = false;

function hear({ state, now }: LiveMessage): void {
  // Messages arrive late, never early, so the largest difference is the most accurate.
  const difference = Date.parse(now) - Date.now();
  behind = behind === undefined ? difference : Math.max(behind, difference);
  count();
  wanted = state;
  catchUp(SPREAD_MS);
}

/** Loads again after a random delay, until the announced state shows. */
function catchUp(spread: number): void {
  if (shown === wanted || refreshing) return;
  refreshing = true;
  setTimeout(() => {
    void refresh()
      .catch(() => undefined)
      .then(() => {
        refreshing = false;
        catchUp(POLL_MS);
      });
  }, Math.random() * spread);
}

async function refresh(): Promise<void> {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const changed = fresh.querySelector<HTMLElement>('[data-live]');
  if (!changed || changed.dataset['state'] === shown) return;
  for (const part of changed.querySelectorAll<HTMLElement>('[data-part]')) replace(part);
  if (!changed.querySelector('[data-until-closed]')) {
    host.querySelector('[data-until-closed]')?.remove();
    host.className = changed.className;
  }
  document.title = fresh.title;
  const before = shown;
  shown = changed.dataset['state']!;
  host.toggleAttribute('data-just-opened', before.startsWith('sealed') && shown.startsWith('revealed'));
  host.dataset['state'] = shown;
  note.classList.add('changed');
  note.textContent = `Just now: ${changeText(before, shown)}.`;
  count();
}

function replace(part: HTMLElement): void {
  const old = host.querySelector<HTMLElement>(`[data-part="${part.dataset['part']!}"]`);
  if (!old) return;
  const focused = old.contains(document.activeElement) ? document.activeElement!.getAttribute('href') : null;
  const open = [...old.querySelectorAll('details')].map((details) => details.open);
  old.replaceWith(part);
  part.querySelectorAll('details').forEach((details, index) => (details.open = open[index] ?? details.open));
  if (focused !== null) part.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus();
}

function count(): void {
  for (const place of host.querySelectorAll<HTMLElement>('[data-until]')) {
    const left = Date.parse(place.dataset['until']!) - Date.now() - (behind ?? 0);
    const text = left > 0 ? `in ${spanText(left)}` : 'now';
    if (place.textContent === text) continue;
    place.textContent = text;
    place.title = new Date(place.dataset['until']!).toLocaleString();
    place.hidden = false;
    if (left <= 0 && poll !== undefined) setTimeout(() => void ask(), 1_000 + Math.random() * SPREAD_MS);
  }
}

function listen(): void {
  stop();
  if (document.hidden) return;
  source = new EventSource(url);
  source.addEventListener('state', (event) =>
    hear(JSON.parse((event as MessageEvent<string>).data) as LiveMessage),
  );
  // The browser does not reopen a rejected stream.
  source.addEventListener('error', () => {
    if (source?.readyState === EventSource.CLOSED) pollOn();
  });
}

function pollOn(): void {
  stop();
  polls = 0;
  void ask();
  poll = setInterval(() => {
    if (++polls >= POLLS_BEFORE_LISTENING) listen();
    else void ask();
  }, POLL_MS);
}

async function ask(): Promise<void> {
  try {
    const answer = await fetch(url, { headers: { accept: 'application/json' } });
    if (answer.ok) hear((await answer.json()) as LiveMessage);
  } catch {
    // The next poll retries.
  }
}

function stop(): void {
  source?.close();
  source = undefined;
  clearInterval(poll);
  poll = undefined;
}

// Browsers allow few connections per origin.
document.addEventListener('visibilitychange', () => (document.hidden ? stop() : listen()));
addEventListener('pagehide', stop);
addEventListener('pageshow', (event) => {
  if (event.persisted) listen();
});
setInterval(count, 1_000);
if (host.dataset['waits']) note.textContent = 'This page updates itself.';
listen();
