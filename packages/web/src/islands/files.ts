import type { Dropped } from '../named-files.ts';

const load = () => import('./hash-files.tsx');

for (const zone of document.querySelectorAll<HTMLElement>('[data-files]')) {
  const output = zone.querySelector('output')!;
  const lines = zone.querySelector('textarea');
  zone.hidden = false;

  const take = async (files: readonly Dropped[]): Promise<void> => {
    try {
      const { addFiles, compareWith } = await load();
      await (lines ? addFiles : compareWith)(zone, files);
    } catch (error) {
      output.textContent = (error as Error).message;
    }
  };
  for (const input of zone.querySelectorAll<HTMLInputElement>('[type=file]'))
    input.addEventListener('change', () => {
      const files = [...input.files!].map((file) => ({ entry: null, file }));
      // The same file can be chosen again.
      input.value = '';
      if (files.length > 0) void take(files);
    });
  zone.addEventListener('dragover', (event) => event.preventDefault());
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    const items = [...(event.dataTransfer?.items ?? [])];
    void take(items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() })));
  });
  const show = (): void => {
    if (lines && (lines.value || output.firstChild))
      void load().then(({ listFiles }) => listFiles(zone, lines.value));
  };
  lines?.addEventListener('input', show);
  show();
}

for (const zone of document.querySelectorAll<HTMLElement>('[data-listed]'))
  void load().then(({ listFiles }) => listFiles(zone, zone.dataset['listed']!));
