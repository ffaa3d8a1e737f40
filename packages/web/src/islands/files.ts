import type { Tell } from './hash-files.ts';
import type { Dropped } from '../named-files.ts';

/** Sends nothing. */
for (const zone of document.querySelectorAll<HTMLElement>('[data-files]')) {
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
  const take = async (files: readonly Dropped[]): Promise<void> => {
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
  for (const input of zone.querySelectorAll<HTMLInputElement>('input[type=file]'))
    input.addEventListener(
      'change',
      () => void take([...input.files!].map((file) => ({ entry: null, file }))),
    );
  zone.addEventListener('dragover', (event) => event.preventDefault());
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    const items = [...(event.dataTransfer?.items ?? [])];
    void take(items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() })));
  });
}
