import type { Receipt } from '@svc/protocol';
import { overall, pathToRoot, rpcChain, type Trust, type verifyReceipt } from '@svc/verifier';
import type { VNode } from 'preact';
import { Checks, Overall } from '../parts/checks.tsx';
import { Sign, SIGNS } from '../parts/sign.tsx';
import { ProofPath } from '../parts/proof-path.tsx';
import { Text } from '../parts/text.tsx';

type Verify = typeof verifyReceipt;

export interface CheckOptions {
  /** the receipt as found; it may be anything */
  receipt: () => Promise<unknown>;
  verify: Verify;
}

/** Checks a receipt as the form says, and shows what was found in place of what stood there. */
export async function checkReceipt(host: HTMLElement, { receipt, verify }: CheckOptions): Promise<void> {
  const result = host.querySelector<HTMLElement>('[data-result]')!;
  const form = host.querySelector<HTMLFormElement>('[data-trust]')!;
  const show = (...nodes: VNode[]): void => result.replaceChildren(...nodes.map(asNode));
  host.setAttribute('aria-busy', 'true');
  try {
    const found = (await receipt()) as Receipt;
    const { trust, rpcUrl } = readForm(form);
    const verification = await verify(found, trust, rpcChain({ urls: [rpcUrl] }));
    show(
      <Overall
        verdict={overall(verification)}
        by={`Checked by your own browser. ${sourceOf(host, rpcUrl)}`}
      />,
      <Checks checks={verification.checks} learn={host.dataset['learn']} />,
    );
    drawPath(host, found);
  } catch (error) {
    show(<Trouble message={(error as Error).message} />);
    host.querySelector<HTMLElement>('[data-path]')!.hidden = true;
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

function readForm(form: HTMLFormElement): { trust: Trust; rpcUrl: string } {
  const data = new FormData(form);
  const text = (name: string): string => (data.get(name) as string).trim();
  const trust = {
    chainId: Number(text('chainId')),
    contract: text('contract'),
    schemaUid: text('schemaUid'),
    relayers: [text('relayer')],
  };
  return { trust, rpcUrl: text('rpcUrl') };
}

/** Says how independent the reading was. */
function sourceOf(host: HTMLElement, rpcUrl: string): string {
  const { origin } = new URL(rpcUrl);
  const own = host.dataset['ownRpc'];
  return origin === location.origin || (own !== undefined && origin === new URL(own).origin)
    ? 'The chain was asked through this service’s own endpoint, which is less independent: name another one below.'
    : `The chain was asked at ${origin}.`;
}

function drawPath(host: HTMLElement, { inclusion, author, hash }: Receipt): void {
  const figure = host.querySelector<HTMLElement>('[data-path]')!;
  figure.hidden = inclusion === null;
  figure.querySelector('svg')?.remove();
  if (inclusion === null) return;
  const path = pathToRoot(inclusion.tree_version, author.user_id, hash, inclusion.proof);
  figure.prepend(asNode(<ProofPath path={path} proof={inclusion.proof} root={inclusion.root} />));
}

/** The islands' JSX runtime makes nodes (dom-jsx.ts). */
const asNode = (vnode: VNode): Node => vnode as unknown as Node;
