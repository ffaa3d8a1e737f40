// Searches all pages of the reference, and leads from addresses of the former single page to the present ones.
interface Entry {
  href: string;
  label: string;
  text: string;
  isField: boolean;
}

const SHOWN = 30;

const search = document.querySelector<HTMLElement>('.reference-search')!;
const input = search.querySelector('input')!;
const list = search.querySelector('ul')!;
const announcement = search.querySelector('p')!;
let entries: Promise<Entry[]> | undefined;

const chapters = (): string[] =>
  [...document.querySelectorAll<HTMLAnchorElement>('.sidebar a[href^="/docs/api/"]')].map(
    ({ pathname }) => pathname,
  );

async function readAll(): Promise<Entry[]> {
  const found = await Promise.all([...new Set(chapters())].map(read));
  return found.flat();
}

async function read(path: string): Promise<Entry[]> {
  const answer = await fetch(path, { headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const named = page.querySelectorAll<HTMLElement>('.reference :is(h2, h4)[id], .reference .facts > [id]');
  return [...named].map((element) => {
    const isField = element.tagName === 'DIV';
    const head = element.closest('summary') ?? element;
    const beside = isField ? '' : (head.nextElementSibling?.textContent ?? '');
    const label = isField
      ? element.id
      : `${element.textContent}${element.textContent === element.id ? '' : ` (${element.id})`}`;
    const text = `${label} ${isField ? element.textContent : beside}`.toLowerCase();
    return { href: `${path}#${element.id}`, label, text, isField };
  });
}

const allEntries = (): Promise<Entry[]> =>
  (entries ??= readAll().catch((error: unknown) => {
    entries = undefined;
    throw error;
  }));

async function find(): Promise<void> {
  const query = input.value;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const all = words.length === 0 ? [] : await allEntries();
  if (query !== input.value) return;
  const found = all.filter(({ text }) => words.every((word) => text.includes(word)));
  const rank = ({ label, isField }: Entry): number =>
    (words.every((word) => label.toLowerCase().includes(word)) ? 0 : 2) + (isField ? 1 : 0);
  found.sort((a, b) => rank(a) - rank(b));
  list.replaceChildren(
    ...found.slice(0, SHOWN).map(({ href, label }) => {
      const link = document.createElement('a');
      link.href = href;
      link.textContent = label;
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  announcement.textContent =
    words.length === 0
      ? ''
      : `${found.length} found${found.length > SHOWN ? `, the first ${SHOWN} shown` : ''}`;
}

async function leadOn(): Promise<void> {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id === '' || location.pathname !== '/docs' || document.getElementById(id)) return;
  const end = `#${id.replace(/^tag-/, '')}`;
  const entry = (await allEntries()).find(({ href }) => href.endsWith(end));
  if (entry) location.replace(entry.href);
}

const fail = (): unknown => (announcement.textContent = 'The search could not be loaded. Try again.');
input.addEventListener('input', () => void find().catch(fail));
search.hidden = false;
void leadOn().catch(() => undefined);
