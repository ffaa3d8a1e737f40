import { readerTime, relativeTime } from '../reader-time.ts';

const notes = new Map<HTMLTimeElement, HTMLElement>();

function tell(): void {
  const now = Date.now();
  for (const [time, note] of notes) {
    if (!time.isConnected) notes.delete(time);
    else if (note.dataset['relative'] !== undefined)
      note.textContent = ` (${relativeTime(Date.parse(time.dateTime), now)})`;
  }
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
    if (notes.has(time) || !time.textContent.endsWith(' UTC')) continue;
    const at = new Date(time.dateTime);
    const note = document.createElement('span');
    note.className = 'own-time';
    const own = readerTime(at);
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
new MutationObserver((changes) => {
  if (
    changes.some(({ addedNodes }) =>
      [...addedNodes].some((node) => node instanceof Element && !node.matches('.own-time')),
    )
  )
    tell();
}).observe(document.querySelector('main')!, { childList: true, subtree: true });
