import type { Tell } from './hash-files.ts';

/** Files that are dropped are hashed here, by what is loaded once there are any: nothing of them leaves the browser. */
for (const zone of document.querySelectorAll<HTMLElement>('[data-files]')) {
  const input = zone.querySelector<HTMLInputElement>('input[type=file]')!;
  const output = zone.querySelector('output')!;
  const words = zone.dataset['files']!;
  zone.hidden = false;

  const tell: Tell = (said, save) => {
    output.textContent = said;
    if (!save) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([save.text], { type: 'application/json' }));
    link.download = save.name;
    link.textContent = 'Save the manifest';
    output.append(' ', link);
  };
  const take = async (files: readonly File[]): Promise<void> => {
    if (files.length === 0) return;
    try {
      const { commitTo, compareWith } = await import('./hash-files.ts');
      const field = document.getElementById('content');
      if (words === '' && field instanceof HTMLTextAreaElement) {
        const isShort = zone.querySelector<HTMLInputElement>('[name=short]')!.checked;
        await commitTo(field, files, { isShort, tell });
      } else await compareWith(words, files, tell);
    } catch (error) {
      tell((error as Error).message);
    }
  };
  input.addEventListener('change', () => void take([...input.files!]));
  zone.addEventListener('dragover', (event) => event.preventDefault());
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    void take([...(event.dataTransfer?.files ?? [])]);
  });
}
