import type { VNode } from 'preact';
import { type OpeningResult, openingResultLine, nothingOpenedLine } from './opening-result.tsx';
import { HashedWords } from '../parts/hashed-words.tsx';
import { atTime, TextNodes } from '../parts/values.tsx';
import { asElement } from './as-element.ts';
import { UNTRANSLATED } from '../untranslated.ts';

const MOST_BYTES = 1_000_000;

const host = document.querySelector<HTMLFormElement>('[data-open]')!;
const result = host.querySelector<HTMLElement>('[data-result]')!;
const input = host.querySelector<HTMLInputElement>('[type=file]')!;
let dropped: File | undefined;

const field = (name: string): string => host.querySelector<HTMLInputElement>(`[name=${name}]`)!.value.trim();
const show = (node: VNode): void => result.replaceChildren(asElement(node));

host.hidden = false;
host.addEventListener('submit', (event) => {
  event.preventDefault();
  void openFile();
});
input.addEventListener('change', () => {
  dropped = input.files?.[0];
  void openFile();
});
host.addEventListener('dragover', (event) => event.preventDefault());
host.addEventListener('drop', (event) => {
  event.preventDefault();
  dropped = event.dataTransfer?.files[0] ?? dropped;
  void openFile();
});

async function openFile(): Promise<void> {
  host.setAttribute('aria-busy', 'true');
  try {
    if (dropped === undefined) throw new Error('Choose an opening first: the file that its author saved.');
    if (dropped.size > MOST_BYTES) throw new Error('This file is too large to be an opening.');
    const { openHere } = await import('./opening.ts');
    const found = await openHere(await dropped.text(), {
      beacon: field('beacon'),
      relay: field('relay'),
      keys: field('keys'),
    });
    show(opened(found));
  } catch (error) {
    show(nothingOpenedLine(error));
  } finally {
    host.removeAttribute('aria-busy');
  }
}

type Words = { content: string; createdAt: string; userId: string; hash: string } | null;

const opened = ({ words, ...found }: OpeningResult & { words: Words }) => (
  <div>
    {openingResultLine(found)}
    {words && (
      <div>
        <HashedWords content={words.content} />
        <p>
          Stated: {atTime(words.createdAt, 'exact')} by the account{' '}
          <code {...UNTRANSLATED}>
            <TextNodes>{words.userId}</TextNodes>
          </code>
          . SHA-256: <code {...UNTRANSLATED}>{words.hash}</code>. The etch’s receipt or evidence shows that
          this hash was on the chain before.
        </p>
      </div>
    )}
  </div>
);
