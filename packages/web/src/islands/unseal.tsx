import type { DrandChain } from '@svc/protocol/timelock';
import type { VNode } from 'preact';
import { openingResultLine, nothingOpenedLine } from './opening-result.tsx';
import { HashedWords } from '../parts/hashed-words.tsx';
import { asElement } from './as-element.ts';

const MOST_TRIES = 8;
const TRY_AGAIN_MS = 5_000;
const MOST_WAIT_MS = 86_400_000;

const host = document.querySelector<HTMLElement>('[data-unseal]')!;
const absent = host.querySelector<HTMLElement>('.words-absent')!;
const broken = host.querySelector<HTMLElement>('[data-broken]')!;
const result = host.querySelector<HTMLElement>('[data-opened]')!;
const form = host.querySelector('form')!;
const input = form.querySelector('input')!;
const words = host.querySelector('[data-ciphertext]')!.textContent;
const { unseal: url, chain, written, due } = host.dataset;
let tries = 0;

async function open(entered: string): Promise<boolean> {
  host.setAttribute('aria-busy', 'true');
  try {
    const { openSealHere } = await import('./opening.ts');
    const { text, ...found } = await openSealHere({
      words,
      createdAt: written!,
      chain: JSON.parse(chain!) as DrandChain,
      url: url!,
      entered,
    });
    show(
      <div>
        {openingResultLine(found)}
        {text !== null && <HashedWords content={text} />}
      </div>,
    );
    if (found.verdict !== 'wait') form.hidden = true;
    if (text !== null) keepHeading();
    absent.hidden = text !== null;
    broken.hidden = text === null;
    return found.verdict !== 'wait';
  } catch (error) {
    show(nothingOpenedLine(error));
    return false;
  } finally {
    host.removeAttribute('aria-busy');
  }
}

/** The heading names the section of proofs, so it stays when the notice of the seal disappears. */
function keepHeading(): void {
  const heading = absent.querySelector('h2');
  if (!heading) return;
  heading.className = 'standing-line sealed';
  heading.textContent = 'Blind seal, opened in this browser';
  host.prepend(heading);
}

function show(found: VNode): void {
  const node = asElement(found);
  // A screen reader must not repeat the message.
  if (result.textContent !== node.textContent) result.replaceChildren(node);
}

async function openWhenDue(): Promise<void> {
  const left = Date.parse(due!) - Date.now();
  if (left > 0) {
    setTimeout(() => void openWhenDue(), Math.min(left + 1_000 + Math.random() * 2_000, MOST_WAIT_MS));
    return;
  }
  form.classList.add('due');
  if (!form.hidden && !(await open('')) && ++tries < MOST_TRIES)
    setTimeout(() => void openWhenDue(), tries * TRY_AGAIN_MS);
}

form.hidden = false;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void open(input.value.trim());
});
// An opened seal stays open when the page redraws this part, except after a retraction.
new MutationObserver(() => {
  const fresh = document.querySelector('[data-unseal]');
  if (fresh && fresh !== host) fresh.replaceWith(host);
}).observe(host.closest('[data-live]')!, { childList: true, subtree: true });
void openWhenDue();
