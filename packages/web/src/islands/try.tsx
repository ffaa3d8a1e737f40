import { Sign, SIGNS } from '../parts/sign.tsx';
import { fullHash } from '../parts/values.tsx';
import { drawn } from './drawn.ts';
import { toldOf, type Tried, type Tryable, tryWords } from '../try-example.ts';

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
  verdict.replaceChildren(drawn(<Told {...toldOf(tried)} />));
  steps.replaceChildren(...(tried ? [drawn(<TriedSteps tryable={tryable} tried={tried} />)] : []));
}

function Told({ verdict: came, headline, detail }: ReturnType<typeof toldOf>) {
  return (
    <p class={`overall ${came === 'same' ? 'same' : 'fail'}`} data-verdict={came}>
      <Sign d={SIGNS[came === 'same' ? 'pass' : 'fail']} />
      <span>
        <strong>{headline}</strong> <span class="quiet">{detail}</span>
      </span>
    </p>
  );
}

function TriedSteps({ tryable, tried }: { tryable: Tryable; tried: Tried }) {
  return (
    <ol class="tried-steps">
      <Compared title="The hash of these words" made={tried.hash} published={tryable.hash} />
      <Compared title="The root that it folds to" made={tried.root} published={tryable.root} />
    </ol>
  );
}

function Compared({ title, made, published }: { title: string; made: string; published: string }) {
  const same = made === published;
  return (
    <li class={same ? 'same' : 'other'}>
      <p>
        <Sign d={SIGNS[same ? 'pass' : 'fail']} /> {title}{' '}
        <strong>{same ? 'is the same' : 'is different'}</strong>
      </p>
      <dl>
        <div>
          <dt>here</dt>
          <dd>{fullHash(made)}</dd>
        </div>
        <div>
          <dt>published</dt>
          <dd>{fullHash(published)}</dd>
        </div>
      </dl>
    </li>
  );
}
