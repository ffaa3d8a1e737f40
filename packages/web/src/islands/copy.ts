/** Adds a copy button next to exact values, also to those that other islands draw later. */
const status = document.createElement('p');
status.className = 'visually-hidden';
status.setAttribute('role', 'status');
document.body.append(status);

const addButtons = (): void => {
  for (const source of document.querySelectorAll<HTMLElement>('[data-copy]:not([data-copy=""])')) {
    const name = `Copy ${source.dataset['copy']!.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`;
    source.dataset['copy'] = '';
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = name;
    button.addEventListener('click', () => void copy(source, button, name));
    source.after(button);
  }
};

const addShares = (): void => {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-share][hidden]')) {
    button.hidden = false;
    button.addEventListener('click', () => void share(button));
  }
};

async function share(button: HTMLButtonElement): Promise<void> {
  const { share: url = '' } = button.dataset;
  // Not every browser has it.
  if ((navigator.share as typeof navigator.share | undefined) !== undefined)
    return navigator.share({ url, title: document.title }).catch(() => undefined);
  const done = await navigator.clipboard.writeText(url).then(
    () => 'Link copied',
    () => 'Copy the address of this page',
  );
  button.textContent = status.textContent = done;
  setTimeout(() => (button.textContent = 'Share'), 2_000);
}

async function copy(source: HTMLElement, button: HTMLButtonElement, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = status.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(source);
    button.textContent = status.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = name), 2_000);
}

const add = (): void => {
  addButtons();
  addShares();
};
add();
new MutationObserver(add).observe(document.body, { childList: true, subtree: true });
