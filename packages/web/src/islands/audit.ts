const host = document.querySelector<HTMLElement>('[data-audit]')!;
const button = host.querySelector('button')!;

host.hidden = false;
button.addEventListener('click', () => {
  button.disabled = true;
  host.ariaBusy = 'true';
  void import('./audit-record.tsx')
    .then(({ auditRecord }) => auditRecord(host))
    .catch((error: unknown) => {
      host.querySelector('[data-result]')!.textContent = `Nothing was checked: ${(error as Error).message}`;
    })
    .finally(() => {
      button.disabled = false;
      host.ariaBusy = null;
    });
});
