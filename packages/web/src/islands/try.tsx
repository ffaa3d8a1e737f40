import { Sign, SIGNS } from '../parts/sign.tsx';
import { fullHash } from '../parts/values.tsx';
import { asElement } from './as-element.ts';
import { resultOf, type Tried, type Tryable, tryWords } from '../try-words.ts';

/** A screen reader must not announce each letter. */
const PAUSE_MS = 250;

const form = document.querySelector<HTMLFormElement>('[data-try]')!;
const tryable = JSON.parse(form.dataset['try']!) as Tryable;
const words = form.querySelector('textarea')!;
const reset = form.querySelector('button')!;
const verdict = form.querySelector('[data-tried]')!;
const steps = form.querySelector('[data-steps]')!;
let waiting: ReturnType<typeof setTimeout> | undefined;

// The browser may have restored an edit.
words.value = words.defaultValue;
form.hidden = false;
tell();
words.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(tell, PAUSE_MS);
});
reset.addEventListener('click', () => {
  words.value = words.defaultValue;
  words.focus();
  tell();
});
form.addEventListener('submit', (event) => event.preventDefault());

function tell(): void {
  clearTimeout(waiting);
  const tried = tryWords(tryable, words.value);
  verdict.replaceChildren(asElement(stepsOf(tried)));
  steps.replaceChildren(...(tried ? [asElement(triedSteps(tried))] : []));
}

function stepsOf(tried: Tried | null) {
  const { verdict: came, headline, detail } = resultOf(tried);
  return (
    <p class={`overall ${came === 'same' ? 'same' : 'fail'}`} data-verdict={came}>
      <Sign d={SIGNS[came === 'same' ? 'pass' : 'fail']} />
      <span>
        <strong>{headline}</strong> <span class="quiet">{detail}</span>
      </span>
    </p>
  );
}

/** A function, because the first `tell` runs before later constants have their values. */
function triedSteps(tried: Tried) {
  return (
    <ol class="tried-steps">
      {compared('The hash of these words', tried.hash, tryable.hash)}
      {compared('The root that it folds to', tried.root, tryable.root)}
    </ol>
  );
}

function compared(title: string, made: string, published: string) {
  const isSame = made === published;
  return (
    <li class={isSame ? 'same' : 'other'}>
      <p>
        <Sign d={SIGNS[isSame ? 'pass' : 'fail']} /> {title}{' '}
        <strong>{isSame ? 'is the same' : 'is different'}</strong>
      </p>
      <dl>
        {[
          { label: 'here', value: made },
          { label: 'published', value: published },
        ].map(({ label, value }) => (
          <div>
            <dt>{label}</dt>
            <dd>{fullHash(value)}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
