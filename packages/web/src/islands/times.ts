// Shows times in the reader's own time with its zone, and how far they are. The title is the exact UTC time.
import { timeText } from '../format.ts';
import { readerTime, relativeTime } from '../reader-time.ts';

const notes = new Map<HTMLTimeElement, HTMLElement>();

function tell(): void {
  const now = Date.now();
  for (const [time, note] of notes) {
    if (!time.isConnected) notes.delete(time);
    else note.textContent = fromNow(time, now);
  }
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[datetime]:not([title])')) {
    const utc = time.textContent;
    // A day alone has no time in another zone.
    if (!utc.endsWith(' UTC') || !time.dateTime.includes('T')) continue;
    const at = new Date(time.dateTime);
    time.title = timeText(at.toISOString(), 'exact');
    // Print shows the UTC time.
    const precision = /:\d\d:/.test(utc) ? 'seconds' : utc.includes(':') ? 'minutes' : 'day';
    const own = readerTime(at, precision);
    if (own) time.replaceChildren(part('own-time', own), part('utc-time', utc));
    if (precision === 'day' || !time.closest('.card, .halves')) continue;
    const note = part('from-now', fromNow(time, now));
    notes.set(time, note);
    time.after(note);
  }
}

const fromNow = ({ dateTime, dataset }: HTMLTimeElement, now: number): string =>
  ` (${relativeTime(Date.parse(dateTime), now, 'past' in dataset)})`;

function part(name: string, text: string): HTMLElement {
  const span = document.createElement('span');
  span.className = name;
  span.textContent = text;
  return span;
}

tell();
setInterval(tell, 15_000);
new MutationObserver((changes) => {
  if (
    changes.some(({ addedNodes }) =>
      [...addedNodes].some(
        (node) => node instanceof Element && !node.matches('.own-time, .utc-time, .from-now'),
      ),
    )
  )
    tell();
}).observe(document.querySelector('main')!, { childList: true, subtree: true });
