import { cut, safeLine } from '../safe-text.ts';
import { asElement } from './as-element.ts';

/** Drafts stay in this browser until published or discarded. The words of a blind seal are never stored (blind.ts). */
interface Draft {
  form: string;
  at: string;
  fields: Record<string, string>;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const keyOf = (owner: string, id: string): string => `svc-draft:${owner}:${id}`;

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

const read = (key: string): Draft | undefined =>
  attempt(() => JSON.parse(localStorage.getItem(key) ?? 'none') as Draft);
const remove = (key: string): void => attempt(() => localStorage.removeItem(key));
const keys = (): string[] => attempt(() => Object.keys(localStorage)) ?? [];

function draftsOf(owner: string): { key: string; id: string; draft: Draft }[] {
  const start = keyOf(owner, '');
  return keys()
    .filter((key) => key.startsWith(start))
    .flatMap((key) => {
      const draft = read(key);
      return draft ? [{ key, id: key.slice(start.length), draft }] : [];
    })
    .sort((a, b) => (a.draft.at < b.draft.at ? 1 : -1));
}

const host = document.querySelector<HTMLElement>('[data-drafts]');
const form = document.querySelector<HTMLFormElement>('form[data-draft]');

function list(place: HTMLElement): void {
  const owner = place.dataset['drafts']!;
  const here = form && id(form).value;
  const found = draftsOf(owner).filter((one) => one.id !== here && (!form || one.draft.form === path(form)));
  place.hidden = found.length === 0;
  place.querySelector('ul')!.replaceChildren(
    ...found.map(({ key, id: name, draft }) => {
      const { content, question, description } = draft.fields;
      const begins = cut(safeLine([content, question, description].find((text) => text?.trim()) ?? ''), 80);
      const away = asElement(
        <button type="button" class="secondary">
          Discard
        </button>,
      );
      away.addEventListener('click', () => {
        remove(key);
        list(place);
      });
      return asElement(
        <li>
          <a href={`${draft.form}#draft=${name}`}>
            <bdi>{begins || 'A draft without words'}</bdi>
          </a>{' '}
          <span class="quiet">{timeOf(draft)}</span> {away}
        </li>,
      );
    }),
  );
}

function keep(kept: HTMLFormElement): void {
  const { owner = '', state } = kept.dataset;
  const given = id(kept).value;
  /** After sign-out, the draft names its account. */
  const key = (): string | undefined =>
    owner === '' ? keys().find((name) => name.endsWith(`:${id(kept).value}`)) : keyOf(owner, id(kept).value);
  const note = document.querySelector<HTMLElement>('[data-draft-note]');
  let unsaved = false;
  let sending = false;

  const say = (text: string): void => {
    if (!note) return;
    note.hidden = text === '';
    note.querySelector('[data-said]')!.textContent = text;
  };

  const save = (): void => {
    const name = key();
    unsaved = true;
    if (name === undefined) return;
    const fields = fieldsOf(kept);
    const draft: Draft = { form: path(kept), at: new Date().toISOString(), fields };
    if (!isTyped(kept)) {
      remove(name);
      unsaved = false;
      return say('');
    }
    const done = attempt(() => (localStorage.setItem(name, JSON.stringify(draft)), true));
    const left = kept.querySelector('textarea[name=""]') ? ' without its words' : '';
    say(
      done
        ? `Kept as a draft${left}.`
        : 'This browser cannot store drafts. If you leave this page, you lose your text.',
    );
  };

  const restore = (name: string): void => {
    const draft = read(keyOf(owner, name));
    if (draft?.form !== path(kept)) return;
    id(kept).value = name;
    fill(kept, draft.fields);
    // A note at the top moves nothing.
    if (note) kept.before(note);
    say(`Your draft of ${timeOf(draft)} is back.`);
    if (host) list(host);
  };

  const begin = (): void => {
    id(kept).value = newId();
    fill(kept, {});
    unsaved = false;
    say('');
    if (host) list(host);
    controls(kept)[0]?.focus();
  };

  note?.querySelector('[data-discard]')!.addEventListener('click', () => {
    const name = key();
    if (name !== undefined) remove(name);
    begin();
  });
  note?.querySelector('[data-new]')!.addEventListener('click', begin);

  const named = (): string | undefined => /^#draft=([0-9a-f-]{36})$/.exec(location.hash)?.[1];
  addEventListener('hashchange', () => {
    const name = named();
    if (name) restore(name);
  });
  const wanted = named() ?? draftsOf(owner).find(({ draft }) => draft.form === path(kept))?.id;
  if (state === 'empty' && owner !== '' && wanted !== undefined) restore(wanted);
  // Leaving would lose text that is not stored.
  else if (state === 'sent') unsaved = !keys().some((name) => name.endsWith(`:${given}`));

  for (const event of ['input', 'change'])
    kept.addEventListener(event, () => {
      // Restoring is no typing.
      if (!filling) save();
    });
  kept.addEventListener('submit', ({ defaultPrevented, submitter }) => {
    const step = (submitter as HTMLButtonElement | null)?.value;
    sending = !defaultPrevented && step !== 'copy';
    if (!sending || (step !== 'etch' && step !== 'ask')) return;
    noteSent(kept);
    // Back then loads the form, not the preview of what is etched.
    history.replaceState(null, '', path(kept));
  });
  kept.addEventListener('sent', () => (sending = true));
  kept.addEventListener('etched', () => {
    const name = key();
    if (name !== undefined) remove(name);
    forgetFiles();
    sending = true;
  });
  addEventListener('pageshow', () => (sending = false));
  addEventListener('beforeunload', (event) => {
    if (unsaved && !sending) event.preventDefault();
  });
}

const SENT = 'svc-sent';

function noteSent(form: HTMLFormElement): void {
  const fields = Object.fromEntries(new FormData(form));
  attempt(() => sessionStorage.setItem(SENT, JSON.stringify(fields)));
}

/** By hash-files.tsx. Only for the etch that was sent: later pages may have other files. */
const forgetFiles = (): void => attempt(() => sessionStorage.removeItem('svc-files'));

async function compareSent(draft: string): Promise<void> {
  const sent = attempt(() => JSON.parse(sessionStorage.getItem(SENT) ?? '{}') as Record<string, string>);
  attempt(() => sessionStorage.removeItem(SENT));
  if (sent?.['draft'] !== draft) return;
  forgetFiles();
  const { misfitBox } = await import('./misfit-box.tsx');
  const misfit = await misfitBox(location.pathname, sent);
  if (misfit === null) return;
  document.querySelector('main')!.prepend(misfit);
  misfit.focus();
}

const id = (of: HTMLFormElement): HTMLInputElement => of.querySelector('[name=draft]')!;
/** `randomUUID` needs a secure context. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const path = (of: HTMLFormElement): string => of.dataset['draft']!;

const controls = (of: HTMLFormElement): Control[] =>
  [...of.elements].filter(
    (element): element is Control =>
      element.matches('input:not([type=hidden], [type=file]), textarea, select') &&
      (element as Control).name !== '',
  );

const isChoice = (control: Control): control is HTMLInputElement =>
  control.type === 'radio' || control.type === 'checkbox';

function fieldsOf(of: HTMLFormElement): Draft['fields'] {
  const fields: Draft['fields'] = {};
  for (const control of controls(of))
    if (isChoice(control) ? control.checked : control.value !== '') fields[control.name] = control.value;
  return fields;
}

const isTyped = (of: HTMLFormElement): boolean =>
  [...of.querySelectorAll<HTMLInputElement>('textarea, [type=text]')].some(
    ({ value }) => value.trim() !== '',
  );

let filling = false;

function fill(of: HTMLFormElement, fields: Draft['fields']): void {
  filling = true;
  of.reset();
  for (const control of controls(of)) {
    const value = fields[control.name];
    if (value === undefined) continue;
    if (isChoice(control)) control.checked = control.value === value;
    else control.value = value;
  }
  for (const control of controls(of)) control.dispatchEvent(new Event('input'));
  of.dispatchEvent(new Event('change'));
  // Presets count from now.
  of.querySelector('.presets :checked')?.dispatchEvent(new Event('change', { bubbles: true }));
  filling = false;
}

const timeOf = ({ at }: Draft): string =>
  new Date(at).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });

// Only a confirmation removes a draft.
const { etched } = document.body.dataset;
if (etched) {
  for (const key of keys()) if (key.endsWith(`:${etched}`)) remove(key);
  void compareSent(etched);
}
if (host) list(host);
if (form) keep(form);
