import type { Receipt } from '@svc/protocol';
import { rpcChain, type Trust, type Verification, type verifyReceipt } from '@svc/verifier';
import type { EVIDENCE_FORMAT } from '@svc/verifier/evidence';
import type { VNode } from 'preact';
import type { TrustedBy } from '../receipt-outcome.ts';
import { verdictLine } from '../parts/sign.tsx';
import { TextNodes } from '../parts/values.tsx';
import { asElement } from './as-element.ts';
import { Verified } from '../parts/checks.tsx';

type Verify = typeof verifyReceipt;

interface CheckOptions {
  receipt: () => Promise<unknown>;
  verify: Verify;
  evidence?: () => EvidenceReader | Promise<EvidenceReader>;
  index?: () => IndexReader | Promise<IndexReader>;
  /** Runs before a verdict is shown. The returned function runs after that. */
  place?: (shown: HTMLElement) => () => void;
}

interface IndexReader {
  readIndex(receipt: Receipt, entered: (field: string) => string): unknown;
}

interface EvidenceReader {
  readEvidence(file: { receipt?: unknown }, entered: (field: string) => string): EvidenceCheck;
}

export interface EvidenceCheck {
  receipt: unknown;
  knowsBlocks: boolean;
  verify(trust: Trust, rpcUrl: string): Promise<Verification>;
  asked(source: () => string): string;
}

/** An earlier check that ends later shows nothing. */
let latest = 0;

export async function checkReceipt(
  host: HTMLElement,
  { receipt, verify, evidence: reader, index, place }: CheckOptions,
): Promise<void> {
  const result = host.querySelector<HTMLElement>('[data-result]')!;
  const form = host.querySelector<HTMLFormElement>('[data-trust]')!;
  const said = host.querySelector('[data-said-verdict]')!;
  const own = ++latest;
  const show = (node: VNode): void => {
    if (own < latest) return;
    const shown = asElement(node);
    const placed = place?.(shown);
    result.replaceChildren(shown);
    placed?.();
    said.textContent = result.querySelector('[data-overall] strong')?.textContent ?? '';
    host.ariaBusy = null;
  };
  host.ariaBusy = 'true';
  form.hidden = false;
  try {
    const entered = (field: string): string =>
      form.querySelector<HTMLInputElement>(`[name=${field}]`)?.value ?? '';
    const file = (await receipt()) as { _format?: string; receipt?: unknown } | null;
    const evidence =
      reader && file?._format === ('svc-evidence:v1' satisfies typeof EVIDENCE_FORMAT)
        ? (await reader()).readEvidence(file, entered)
        : undefined;
    const read = (evidence ? evidence.receipt : file) as Receipt;
    const { trust, rpcUrl, trustedBy } = trusted(host, form, read, evidence?.knowsBlocks);
    const found = await (evidence
      ? evidence.verify(trust, rpcUrl)
      : verify(read, trust, rpcChain({ urls: [rpcUrl] })));
    if (index && 'index' in read) (found.checks as unknown[]).push((await index()).readIndex(read, entered));
    const source = (): string => sourceOf(host, rpcUrl);
    show(
      <Verified
        receipt={read}
        found={found}
        trustedBy={trustedBy}
        by={`Checked by your own browser ${BY[trustedBy]} ${evidence ? evidence.asked(source) : source()}${trustedBy === 'reader' ? '' : ' Enter your own values below.'}`}
        opens={host.dataset['opens']}
        learn={host.dataset['learn']}
      />,
    );
  } catch (error) {
    const message = <TextNodes>{(error as Error).message}</TextNodes>;
    show(verdictLine('wait', 'warn', [<strong>Nothing was checked.</strong>, ' ', message], 'trouble'));
  }
}

interface Trusted {
  trust: Trust;
  rpcUrl: string;
  trustedBy: TrustedBy;
}

/**
 * Prefers the reader's values, if complete and at least one was entered. Then come the service's, for its own etch
 * or a receipt with the same values. The receipt's own values prove nothing.
 */
function trusted(
  host: HTMLElement,
  form: HTMLFormElement,
  receipt: Partial<Receipt> | null,
  knowsBlocks?: boolean,
): Trusted {
  const chain = receipt?.chain;
  const named: Record<string, string> = {
    chainId: String(chain?.chain_id),
    contract: String(chain?.attestation_contract),
    schemaUid: String(chain?.schema_uid),
    relayer: String(chain?.relayer),
  };
  const fields = [...form.querySelectorAll('input')].filter(
    ({ name }) => name in named || (name === 'rpcUrl' && !knowsBlocks),
  );
  const given = Object.fromEntries(fields.map(({ name, value }) => [name, value.trim()]));
  const isEntered = fields.some(
    ({ name, value, defaultValue }) => name in named && value.trim() !== defaultValue,
  );
  const isWhole = fields.every(({ value }) => value.trim() !== '');
  const isSame = Object.entries(named).every(
    ([name, value]) => value.toLowerCase() === given[name]!.toLowerCase(),
  );
  const trustedBy =
    isWhole && isEntered
      ? 'reader'
      : isWhole && (isSame || host.dataset['verify'] !== '')
        ? 'service'
        : 'receipt';
  const values = trustedBy === 'receipt' ? named : given;
  return {
    trust: {
      chainId: Number(values['chainId']),
      contract: values['contract']!,
      schemaUid: values['schemaUid']!,
      relayers: [values['relayer']!],
    },
    rpcUrl: given['rpcUrl'] || host.dataset['rpc']!,
    trustedBy,
  };
}

const BY: Readonly<Record<TrustedBy, string>> = {
  reader: 'with the values that you entered.',
  service: 'with the values that this service publishes.',
  receipt: 'with the values that the receipt names.',
};

function sourceOf(host: HTMLElement, rpcUrl: string): string {
  const { origin } = new URL(rpcUrl);
  const { href } = location;
  return [href, host.dataset['ownRpc'] ?? href].some((url) => new URL(url).origin === origin)
    ? 'The chain was read through this service.'
    : `The chain was read at ${origin}.`;
}

export function whenAsked(host: HTMLElement, check: () => void): void {
  host.querySelector('[data-trust]')!.addEventListener('submit', (event) => {
    event.preventDefault();
    check();
  });
}
