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

addButtons();
new MutationObserver(addButtons).observe(document.body, { childList: true, subtree: true });
