import { verifyReceipt } from '@svc/verifier';
import './times.ts';
import { checkReceipt, whenAsked } from './check-receipt.tsx';
import { evidenceReader } from './read-evidence.ts';
import { readIndex } from './read-index.ts';

const host = document.querySelector<HTMLElement>('[data-verify]')!;
const text = document.getElementById('receipt')!.textContent;
const check = (): void =>
  void checkReceipt(host, {
    receipt: async () => JSON.parse(text) as unknown,
    verify: verifyReceipt,
    evidence: () => ({ readEvidence: evidenceReader() }),
    index: () => ({ readIndex }),
    place: placePins,
  });
whenAsked(host, check);
host.querySelector<HTMLTextAreaElement>('[data-info]')!.addEventListener('input', ({ currentTarget }) => {
  if (fillFrom(host, (currentTarget as HTMLTextAreaElement).value, JSON.parse(text))) check();
});
check();

/** Moves the pins next to each verdict. Moving a focused field takes the focus from it, so it gets the focus back. */
function placePins(shown: HTMLElement): () => void {
  const pins = host.querySelector<HTMLElement>('[data-pins]')!;
  const focused = document.activeElement;
  const verdict = shown.querySelector('[data-overall]');
  const pair = document.createElement('div');
  pair.className = 'two';
  verdict?.replaceWith(pair);
  pair.append(...(verdict ? [verdict] : []), pins);
  pins.hidden = false;
  return () => {
    if (!verdict) shown.after(pair);
    if (pins.contains(focused)) (focused as HTMLElement).focus();
  };
}

function fillFrom(host: HTMLElement, pasted: string, file: unknown): boolean {
  const hint = host.querySelector('#trust-info-hint')!;
  const values = valuesIn(pasted, relayerIn(file));
  if (values === null) {
    hint.textContent =
      pasted.trim() === '' ? '' : 'This is not a whole svc.json: the values below are unchanged.';
    return false;
  }
  for (const [name, value] of Object.entries(values)) {
    const input = host.querySelector<HTMLInputElement>(`[data-trust] [name=${name}]`);
    if (input) input.value = value;
  }
  hint.textContent = 'The values below are from svc.json.';
  return true;
}

/** A service may list earlier attesters too: take the receipt's, if listed. */
function valuesIn(pasted: string, relayer: unknown): Record<string, string> | null {
  const info = parsed(pasted) as { log?: { keys?: unknown } } | null;
  const chain = chainOf(info);
  const relayers: unknown = chain?.['relayers'];
  if (!chain || !Array.isArray(relayers)) return null;
  const listed: readonly unknown[] = relayers;
  const same = (one: unknown) => String(one).toLowerCase() === String(relayer).toLowerCase();
  const values = {
    rpcUrl: chain['rpc_url'],
    chainId: chain['chain_id'],
    contract: chain['attestation_contract'],
    schemaUid: chain['schema_uid'],
    relayer: listed.find(same) ?? listed[0],
  };
  if (!Object.values(values).every((value) => typeof value === 'string' || Number.isSafeInteger(value)))
    return null;
  const keys: unknown = info?.log?.keys;
  return {
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
    logKeys: Array.isArray(keys) ? keys.join(' ') : '',
  };
}

const relayerIn = (file: unknown): unknown =>
  (chainOf(file) ?? chainOf((file as { receipt?: unknown } | null)?.receipt))?.['relayer'];

const chainOf = (value: unknown): Record<string, unknown> | undefined =>
  (value as { chain?: Record<string, unknown> } | null | undefined)?.chain;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
