// Seals the sentence of the home page with a random salt, and compares what is typed after it opened. Sends nothing.
const form = document.querySelector<HTMLFormElement>('[data-seal]')!;
const part = (name: string): HTMLElement => form.querySelector(`[data-${name}]`)!;
const act = (name: string): HTMLButtonElement => form.querySelector(`[data-act=${name}]`)!;
const words = form.querySelector('textarea')!;
const entry = words.closest<HTMLElement>('.entry')!;
const label = entry.querySelector('label')!;

let salt = '';
let mark = '';

async function markOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${salt}|${text}`));
  return hex(new Uint8Array(digest));
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function show(state: 'open' | 'sealed' | 'broken'): void {
  entry.hidden = state === 'sealed';
  part('sealed').hidden = state !== 'sealed';
  part('broken').hidden = state !== 'broken';
  act('seal').hidden = state !== 'open';
  act('open').hidden = state !== 'sealed';
  act('send').classList.toggle('secondary', state !== 'broken');
}

async function compare(): Promise<void> {
  const text = words.value;
  const isSame = (await markOf(text)) === mark;
  if (text !== words.value) return;
  part('broken').classList.toggle('fail', !isSame);
  part('compared').textContent = isSame
    ? 'Opened: these are the sealed words. Now change a letter of them.'
    : 'These are not the sealed words. One letter is enough, and anyone can see it.';
}

act('seal').addEventListener('click', () => {
  if (words.value.trim() === '') return words.focus();
  salt = hex(crypto.getRandomValues(new Uint8Array(32)));
  void markOf(words.value).then((made) => {
    mark = made;
    part('mark').textContent = made;
    show('sealed');
    act('open').focus();
  });
});
act('open').addEventListener('click', () => {
  label.textContent = 'Your words, opened';
  show('broken');
  form.toggleAttribute('data-just-opened', true);
  words.focus();
  void compare();
});
words.addEventListener('input', () => {
  if (mark !== '') void compare();
});
// Only secure contexts have WebCrypto.
if ('subtle' in crypto) show('open');
