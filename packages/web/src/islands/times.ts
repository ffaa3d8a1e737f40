import { ownTime, relativeTime } from '../own-time.ts';

/**
 * Says beside each time in UTC when that is for the reader: in cards how far off, which stays true while the page is open, elsewhere by the
 * reader's own clock. What is read without it is whole.
 */
const notes = new Map<HTMLTimeElement, HTMLElement>();

function tell(): void {
  const now = Date.now();
  for (const [time, note] of notes) {
    if (!time.isConnected) notes.delete(time);
    else if (note.dataset['relative'] !== undefined)
      note.textContent = ` (${relativeTime(Date.parse(time.dateTime), now)})`;
  }
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
    // A day is the same everywhere, and what was told before stands beside it.
    if (notes.has(time) || !time.textContent.endsWith(' UTC')) continue;
    const at = new Date(time.dateTime);
    const note = document.createElement('span');
    note.className = 'own-time';
    const own = ownTime(at);
    if (time.closest('.card')) {
      note.dataset['relative'] = '';
      note.textContent = ` (${relativeTime(at.getTime(), now)})`;
      if (own) note.title = own;
    } else if (own && !time.closest('[data-local]')) note.textContent = ` (${own})`;
    else continue;
    notes.set(time, note);
    time.after(note);
  }
}

tell();
setInterval(tell, 15_000);
// A live page draws its parts anew.
new MutationObserver((changes) => {
  if (
    changes.some(({ addedNodes }) =>
      [...addedNodes].some((node) => node instanceof Element && !node.matches('.own-time')),
    )
  )
    tell();
}).observe(document.querySelector('main')!, { childList: true, subtree: true });
