import { sharedWords } from '@svc/protocol';
import {
  type DrandChain,
  padBlind,
  RANDOM_BYTES,
  roundAt,
  roundTime,
  sealBlind,
  TimelockError,
} from '@svc/protocol/timelock';
import type { VNode } from 'preact';
import { Sign, SIGNS, Warning } from '../parts/sign.tsx';
import { spanText } from '../format.ts';
import { HashedWords } from '../parts/hashed-words.tsx';
import { atTime, facts, roundOf, TextNodes } from '../parts/values.tsx';
import { asElement } from './as-element.ts';
import { MANIFEST_UNSAVED, ManifestSaved } from '../parts/file-drop.tsx';

interface Composer {
  form: HTMLFormElement;
  /** the words, or the sections of a preregistration */
  fields: readonly HTMLTextAreaElement[];
  /** the first lines of words that commit to files */
  lines: HTMLTextAreaElement;
  /** of the words, with these lines */
  text: string;
  chain: DrandChain;
  leadSeconds: number;
}

const HEADING = 'Check before you publish';

/** Two years in ms. Longer seals get a warning. */
const LONG_MILLISECONDS = 731 * 86_400_000;

type Problem = { field: string; sentence: string };

export function showOnceMore(composer: Composer): void {
  const { form, fields, lines, text, chain } = composer;
  const problems = problemsOf(composer);
  if (problems.length > 0) return tell(form, refused(problems));
  form.parentElement!.querySelector('.problem')?.remove();
  const round = roundAt(chain, dateOf(form));
  const preview = asElement(onceMore(text, valueOf(form, 'description'), termFacts(form), chain, round));
  const rows = form.querySelector('[data-files] .file-rows');
  if (lines.value !== '' && text.startsWith(lines.value) && rows)
    preview.querySelector('dl')!.before(rows.cloneNode(true));
  const [etch, change] = preview.querySelectorAll('button');
  const copy = preview.querySelector<HTMLAnchorElement>('[download]')!;
  copy.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const saved = preview.querySelector<HTMLInputElement>('[name=manifest_saved]');
  const alert = preview.querySelector('[role=alert]')!;
  const say = (text: string): unknown => (alert.textContent = text);
  const page = form.parentElement!;
  const kept = [...page.childNodes];
  const { title } = document;
  // A page of its own: the browser's way back leads to the form.
  const restore = (): void => {
    URL.revokeObjectURL(copy.href);
    removeEventListener('popstate', restore);
    page.replaceChildren(...kept);
    document.title = title;
  };
  const back = (): void => {
    restore();
    history.back();
  };
  change!.addEventListener('click', () => {
    back();
    fields[0]!.focus();
  });
  // Encrypt once, so that a retry sends the same bytes.
  let sealed: string | undefined;
  etch!.addEventListener('click', () => {
    if (saved?.checked === false) {
      saved.focus();
      return say(`${MANIFEST_UNSAVED}.`);
    }
    etch!.disabled = true;
    sealed ??= sealBlind(chain, round, text, crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
    void send(form, sealed)
      .then((problem) => {
        if (problem === null) return;
        back();
        tell(form, problem);
      })
      .catch(() => say('The service is unreachable. Try again: it is etched only once.'))
      .finally(() => (etch!.disabled = false));
  });
  page.replaceChildren(...preview.childNodes);
  history.pushState(null, '');
  addEventListener('popstate', restore);
  document.title = `${HEADING} · ${title}`;
  scrollTo(0, 0);
  page.querySelector('h1')!.focus();
}

/** In the order of the fields, before anything is sent. */
function problemsOf({ form, fields, lines, text, leadSeconds }: Composer): Problem[] {
  const problems: Problem[] = [];
  const add = (field: string, sentence: string): unknown => problems.push({ field, sentence });
  const kind = kindIn(form);
  if (kind === 'forecast')
    add(
      'forecast',
      'Forecasts in blind seals are not scored. Choose “Text”, and write the forecast in your words.',
    );
  if (kind === 'files' && lines.value === '') add('files', 'Add files, or choose “Text”.');
  if (fields.length > 1)
    for (const { id, labels, value } of fields)
      if (value.trim() === '') add(id, `Write the section “${labels[0]!.textContent}”.`);
  try {
    padBlind(text);
  } catch (error) {
    if (!(error instanceof TimelockError)) throw error;
    add('content', `Your words cannot be sealed: ${error.message}.`);
  }
  if (valueOf(form, 'description').trim() === '')
    add('description', 'Write a description. It is public at once.');
  for (const { name, value, dataset } of termsOf(form))
    if (value === '' && dataset['term']) add(name, dataset['term']);
  if (!(dateOf(form) - Date.now() >= leadSeconds * 1000))
    add('reveal_at', `The time at which it opens must lie at least ${spanText(leadSeconds * 1000)} ahead.`);
  return problems;
}

const kindIn = (form: HTMLFormElement): string | undefined =>
  form.querySelector<HTMLInputElement>('[name=kind]:checked')?.value;

/** Marked by parts/etch-terms.tsx; `data-term` says what to do if a required one is blank. */
const termsOf = (form: HTMLFormElement): (HTMLInputElement | HTMLSelectElement)[] => [
  ...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-term]'),
];

const termFacts = (form: HTMLFormElement): [string, string][] =>
  termsOf(form)
    .filter(({ value }) => value !== '')
    .map((term) => [
      term.labels![0]!.textContent,
      'selectedOptions' in term ? term.selectedOptions[0]!.text : term.value,
    ]);

const valueOf = (form: HTMLFormElement, name: string): string =>
  form.querySelector<HTMLInputElement>(`[name=${name}]`)!.value;

const dateOf = (form: HTMLFormElement): number => Date.parse(`${valueOf(form, 'reveal_at')}Z`);

async function send(form: HTMLFormElement, sealed: string): Promise<Node | null> {
  const fields = {
    draft: valueOf(form, 'draft'),
    content: sealed,
    description: valueOf(form, 'description'),
    ...Object.fromEntries(termsOf(form).map(({ name, value }) => [name, value])),
    mode: 'instant',
    blind: 'on',
    step: 'etch',
  };
  const answer = await fetch(form.getAttribute('action')!, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  if (answer.redirected && !new URL(answer.url).pathname.startsWith('/e/')) {
    // To sign in first: the ciphertext waits in a cookie.
    form.dispatchEvent(new Event('sent'));
    location.assign(answer.url);
    return null;
  }
  if (answer.redirected) {
    const { misfitBox } = await import('./misfit-box.tsx');
    const misfit = await misfitBox(answer.url, fields);
    if (misfit !== null) return misfit;
    form.dispatchEvent(new Event('etched'));
    location.assign(answer.url);
    return null;
  }
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const draft = page.querySelector<HTMLInputElement>('[name=draft]');
  if (draft) form.querySelector<HTMLInputElement>('[name=draft]')!.value = draft.value;
  return page.querySelector('.problem') ?? asElement(refused([]));
}

function tell(form: HTMLFormElement, problem: Node | VNode): void {
  form.parentElement!.querySelector('.problem')?.remove();
  const box = problem as HTMLElement;
  form.before(box);
  box.focus();
}

function refused(problems: readonly Problem[]) {
  return (
    <div class="problem" role="alert" tabindex={-1}>
      <h2>
        <Sign d={SIGNS.warn} /> Not done yet
      </h2>
      {problems.length > 0 ? (
        <ul>
          {problems.map(({ field, sentence }) => (
            <li>
              <a href={`#${field}`}>{sentence}</a>
            </li>
          ))}
        </ul>
      ) : (
        <p>The service rejected it without a reason. Try again later.</p>
      )}
    </div>
  );
}

function onceMore(
  text: string,
  description: string,
  terms: [string, string][],
  chain: DrandChain,
  round: number,
) {
  const due = new Date(roundTime(chain, round)).toISOString();
  const shared = sharedWords(description, text);
  return (
    <div>
      <header class="page-head">
        <h1 tabindex={-1}>{HEADING}</h1>
        <p class="lead">
          Your browser encrypts these words now, and the drand network publishes the key at {atTime(due)}:
          until then neither this service nor you can open them. The members of the network could, together.
        </p>
      </header>
      <HashedWords content={text} />
      {facts(['Description, public at once', <TextNodes>{description}</TextNodes>], ...terms, [
        'Encrypted until',
        atTime(due, 'seconds'),
      ])}
      <details>
        <summary>Which key opens it</summary>
        <p>
          The signature of {roundOf(round, chain.hash)}. Any relay of the network has it from that time on.
        </p>
      </details>
      {Date.parse(due) - Date.now() > LONG_MILLISECONDS && (
        <Warning>
          <strong>This blind seal opens in more than two years.</strong> It opens only if the drand network
          still runs then. Choose an earlier date, or keep a copy of the words.
        </Warning>
      )}
      {shared !== null && (
        <Warning>
          The description gives “<TextNodes>{shared}</TextNodes>” of the text away. It is public at once.
        </Warning>
      )}
      <p class="note">
        <strong>Keep a copy.</strong> Until then this service cannot show you these words.{' '}
        <a download={`blind-seal-${round}.txt`}>Save your words</a>
      </p>
      <div class="note final">
        <Warning plain>
          <strong>It cannot be edited.</strong> If you retract it later, copies of the ciphertext can still be
          opened. If the drand network ends, it can never be opened.
        </Warning>
        {text.startsWith('svc-files:v1 root=') && <ManifestSaved />}
        <p role="alert"></p>
        <p class="actions">
          <button type="button">Encrypt and etch it</button>
          <button type="button" class="secondary">
            Change something
          </button>
        </p>
      </div>
    </div>
  );
}
