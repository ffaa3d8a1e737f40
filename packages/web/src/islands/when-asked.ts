export function whenAsked(host: HTMLElement, check: () => void): void {
  host.querySelector('[data-trust]')!.addEventListener('submit', (event) => {
    event.preventDefault();
    check();
  });
}
