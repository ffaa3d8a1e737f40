/** Adds a copy button next to exact values, also to those that other islands draw later. */
const said = document.createElement('p');
said.className = 'visually-hidden';
said.setAttribute('role', 'status');
document.body.append(said);

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

async function copy(source: HTMLElement, button: HTMLButtonElement, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = said.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(source);
    button.textContent = said.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = name), 2_000);
}

addButtons();
new MutationObserver(addButtons).observe(document.body, { childList: true, subtree: true });
