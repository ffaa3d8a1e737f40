import type { DrandChain } from '@svc/protocol/timelock';

/**
 * The choice of a blind seal in the composer. While it is made the form sends nothing: what is loaded once it is sent shows everything once
 * more here, and sends the ciphertext alone.
 */
const template = document.querySelector<HTMLTemplateElement>('template[data-blind]')!;
const form = template.closest('form')!;
const words = form.querySelector<HTMLTextAreaElement>('#content')!;
const { blind, lead, most } = template.dataset;
const count = document.createElement('p');
count.className = 'count-of';
const characters = form.querySelector<HTMLElement>('[data-count=content]')!;
words.parentElement!.append(count);
const trouble = document.createElement('p');
trouble.setAttribute('role', 'alert');
form.append(trouble);
template.replaceWith(template.content);
const choice = form.querySelector<HTMLInputElement>('[value=blind]')!;

/** What was typed there would be left out: it stays in sight, and is told (seal-blind.tsx). */
const isTyped = (part: HTMLElement): boolean =>
  [...part.querySelectorAll<HTMLInputElement>('[type=text]')].some(({ value }) => value.trim() !== '');

const show = (): void => {
  const { checked } = choice;
  // Without a name no browser sends them, nor keeps them for when the page is loaded again.
  words.name = checked ? '' : 'content';
  words.autocomplete = checked ? 'off' : '';
  words.spellcheck = !checked;
  for (const part of form.querySelectorAll<HTMLElement>('[data-sent]'))
    part.hidden = checked && !isTyped(part);
  const bytes = new TextEncoder().encode(words.value).length;
  count.hidden = !checked;
  characters.hidden = checked;
  count.textContent = `${bytes.toLocaleString('en')} of ${Number(most).toLocaleString('en')} bytes`;
  count.classList.toggle('over', bytes > Number(most));
};
form.addEventListener('change', show);
words.addEventListener('input', show);
addEventListener('pageshow', show);
show();

form.addEventListener('submit', (event) => {
  if (!choice.checked) return;
  event.preventDefault();
  // Curves and ciphers come only now.
  import('./seal-blind.tsx').then(
    ({ showOnceMore }) =>
      showOnceMore({ form, words, chain: JSON.parse(blind!) as DrandChain, leadSeconds: Number(lead) }),
    () => (trouble.textContent = 'What encrypts could not be loaded, and nothing was sent. Try again.'),
  );
});
