/** Also for values that another island draws later. */
const said = document.createElement('p');
said.className = 'visually-hidden';
said.setAttribute('role', 'status');
document.body.append(said);

const addButtons = (): void => {
  for (const source of document.querySelectorAll<HTMLElement>('[data-copy]:not([data-copy=ready])')) {
    source.dataset['copy'] = 'ready';
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(source, button));
    source.after(button);
  }
};

async function copy(source: HTMLElement, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = said.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(source);
    button.textContent = said.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = 'Copy'), 2_000);
}

addButtons();
new MutationObserver(addButtons).observe(document.body, { childList: true, subtree: true });
