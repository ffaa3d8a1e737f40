import type { Receipt } from '@svc/protocol';
import { rpcChain, type Trust, type Verification, type verifyReceipt } from '@svc/verifier';
import type { VNode } from 'preact';
import type { TrustedBy } from '../judgement.ts';
import { Sign, SIGNS } from '../parts/sign.tsx';
import { Text } from '../parts/text.tsx';
import { Verified } from '../parts/verified.tsx';

type Verify = typeof verifyReceipt;

export interface CheckOptions {
  /** the receipt or the evidence as found; it may be anything */
  receipt: () => Promise<unknown>;
  verify: Verify;
  /** where evidence may be found */
  verifyEvidence?: (file: unknown, trust: Trust, blocks: KnownBlocks) => Promise<Verification>;
}

/** Hashes of blocks that the reader entered, else an endpoint that is asked for them alone. */
export interface KnownBlocks {
  hashes: string[];
  rpcUrl: string;
}

/** Checks a receipt or evidence as the form says, and shows what was found in place of what stood there. */
export async function checkReceipt(
  host: HTMLElement,
  { receipt, verify, verifyEvidence }: CheckOptions,
): Promise<void> {
  const result = host.querySelector<HTMLElement>('[data-result]')!;
  const form = host.querySelector<HTMLFormElement>('[data-trust]')!;
  const show = (node: VNode): void => result.replaceChildren(asNode(node));
  host.setAttribute('aria-busy', 'true');
  try {
    const file = (await receipt()) as Partial<{ _format: string; receipt: Receipt }> | null;
    const byEvidence = file?._format === 'svc-evidence:v1' ? verifyEvidence : undefined;
    const read = (byEvidence ? file!.receipt : file) as Receipt;
    const hashes = byEvidence ? enteredHashes(form) : [];
    const { trust, rpcUrl, trustedBy, by } = trusted(host, form, read, hashes.length > 0);
    const found = byEvidence
      ? await byEvidence(file, trust, { hashes, rpcUrl })
      : await verify(read, trust, rpcChain({ urls: [rpcUrl] }));
    const source =
      hashes.length > 0
        ? 'Nobody was asked: its block has a hash that you entered, or not.'
        : `${byEvidence ? 'Asked for was the hash of its block, and nothing else. ' : ''}${sourceOf(host, rpcUrl)}`;
    show(
      <Verified
        receipt={read}
        found={found}
        trustedBy={trustedBy}
        by={`Checked by your own browser ${by} ${source}`}
        opens={host.dataset['opens']}
        learn={host.dataset['learn']}
      />,
    );
  } catch (error) {
    show(<Trouble message={(error as Error).message} />);
  } finally {
    host.removeAttribute('aria-busy');
    form.hidden = false;
  }
}

/** Once the form is sent, the same is checked again. */
export function whenAsked(host: HTMLElement, check: () => void): void {
  host.querySelector('[data-trust]')!.addEventListener('submit', (event) => {
    event.preventDefault();
    check();
  });
}

function Trouble({ message }: { message: string }): VNode {
  return (
    <p class="overall wait" data-overall="trouble">
      <Sign d={SIGNS.warn} />
      <span>
        <strong>Nothing was checked.</strong> <Text>{message}</Text>
      </span>
    </p>
  );
}

interface Trusted {
  trust: Trust;
  rpcUrl: string;
  trustedBy: TrustedBy;
  by: string;
}

/**
 * Whose values count: the reader's, where all are there and one was entered; those of the service, where its own etch is
 * looked at, or the receipt names the same; else the receipt's own, which convince nobody.
 */
function trusted(
  host: HTMLElement,
  form: HTMLFormElement,
  receipt: Partial<Receipt> | null,
  knowsBlocks: boolean,
): Trusted {
  const fields = [...form.querySelectorAll('input')].filter(
    ({ name }) => name !== 'blockHash' && !(knowsBlocks && name === 'rpcUrl'),
  );
  const given = Object.fromEntries(fields.map(({ name, value }) => [name, value.trim()]));
  const chain = receipt?.chain;
  const named: Record<string, string> = {
    chainId: String(chain?.chain_id),
    contract: String(chain?.attestation_contract),
    schemaUid: String(chain?.schema_uid),
    relayer: String(chain?.relayer),
  };
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
    by: BY[trustedBy],
  };
}

/** Separated by anything that stands in no hash. */
const enteredHashes = (form: HTMLFormElement): string[] =>
  form.querySelector<HTMLInputElement>('[name=blockHash]')?.value.match(/[^\s,;]+/g) ?? [];

const BY: Readonly<Record<TrustedBy, string>> = {
  reader: 'with the values that you entered.',
  service: 'against the chain, contract, schema and attester that this service publishes.',
  receipt:
    'with the values that the receipt itself names, and no receipt can vouch for itself: whoever forges one names his own. Enter below what you know from elsewhere.',
};

/** Says how independent the reading was. */
function sourceOf(host: HTMLElement, rpcUrl: string): string {
  const { origin } = new URL(rpcUrl);
  const own = host.dataset['ownRpc'];
  return origin === location.origin || (own !== undefined && origin === new URL(own).origin)
    ? 'The chain was asked through this service’s own endpoint, which is less independent: name another one below.'
    : `The chain was asked at ${origin}.`;
}

/** The islands' JSX runtime makes nodes (dom-jsx.ts). */
const asNode = (vnode: VNode): Node => vnode as unknown as Node;
