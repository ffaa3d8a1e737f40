import type { JSX, VNode } from 'preact';
import type { SiteChain } from '../site.ts';

interface TrustFields {
  rpcUrl: string;
  chainId: string;
  contract: string;
  schemaUid: string;
  relayer: string;
}

const PASTE_ALL =
  'Open the About page of the service yourself, not by a link in this file. Copy its values (svc.json) and paste them here.';

const NO_FIELDS: TrustFields = { rpcUrl: '', chainId: '', contract: '', schemaUid: '', relayer: '' };

interface TrustFormProps {
  fields?: TrustFields;
  source: string;
  takesEvidence?: boolean;
  judgesTimeStamps?: boolean;
  /** undefined: a receipt has no entries of the index of accounts */
  logKeys?: string | undefined;
}

/** A script fills the form. Without `fields` the reader enters everything. */
export function TrustForm(props: TrustFormProps) {
  const { fields = NO_FIELDS, source, takesEvidence = false, judgesTimeStamps = false, logKeys } = props;
  const isEmpty = fields === NO_FIELDS;
  return (
    <form class="trust" data-trust="" hidden novalidate>
      <h3>Settings of the check</h3>
      {isEmpty && <p class="quiet">{source}</p>}
      {line(
        'rpcUrl',
        'RPC endpoint',
        fields.rpcUrl,
        `A JSON-RPC endpoint of this chain that browsers may read${
          isEmpty
            ? ': a node that you or people you trust run.'
            : '. This service names the one above. A node that you or people you trust run is more independent.'
        }`,
      )}
      {takesEvidence &&
        line(
          'blockHash',
          'Block hash, for evidence',
          '',
          'Without it, your browser reads this hash from the endpoint. A retracted etch may have two blocks: enter both hashes.',
        )}
      {judgesTimeStamps &&
        field(
          'tsaCertificates',
          'Certificates of a time-stamping authority, in PEM',
          'Get them from the authority, never from the file. With certificates, a time stamp must be in the file and hold. Without certificates, your browser checks no time stamp.',
          (attributes) => <textarea {...attributes} name="tsaCertificates" rows={3} />,
        )}
      {logKeys !== undefined &&
        line(
          'logKeys',
          'Key of the log, for a receipt with its author’s index',
          logKeys,
          'It is in log.keys of the service’s svc.json. Without it, your browser does not check which of the author’s etches this is.',
        )}
      <details open={isEmpty}>
        <summary>Chain, contract, schema and attester</summary>
        {!isEmpty && <p class="quiet">{source}</p>}
        {line('chainId', 'Chain id', fields.chainId)}
        {line('contract', 'Attestation contract', fields.contract)}
        {line('schemaUid', 'Schema', fields.schemaUid)}
        {line('relayer', 'Trusted attester', fields.relayer)}
      </details>
      <button type="submit">Check again</button>
    </form>
  );
}

/** A saved receipt has no pins. A script moves this form next to each verdict. */
export const PinsField = () => (
  <div class="pins" data-pins="" hidden>
    {field('info', 'Values of the service (svc.json)', PASTE_ALL, (attributes) => (
      <textarea {...attributes} data-info="" rows={2} autocomplete="off" />
    ))}
  </div>
);

type Attributes = Pick<JSX.IntrinsicElements['textarea'], 'id' | 'aria-describedby' | 'spellcheck'>;

function field(
  name: string,
  label: string,
  hint: string | undefined,
  control: (attributes: Attributes) => VNode,
) {
  const id = `trust-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control({ id, spellcheck: false, ...(hint && { 'aria-describedby': `${id}-hint` }) })}
      {hint && (
        <p class="hint" id={`${id}-hint`} {...(name === 'info' && { role: 'status' })}>
          {hint}
        </p>
      )}
    </div>
  );
}

const line = (name: string, label: string, value: string, hint?: string) =>
  field(name, label, hint, (attributes) => (
    <input
      {...attributes}
      name={name}
      value={value}
      type="text"
      inputmode={name === 'chainId' ? 'numeric' : 'url'}
      autocomplete="off"
    />
  ));

/** `rpcUrl` is a default; the reader may name a different one. */
export function trustFields(chain: SiteChain, rpcUrl: string): TrustFields {
  return {
    rpcUrl,
    chainId: chain.id === null ? '' : String(chain.id),
    contract: chain.contract,
    schemaUid: chain.schemaUid,
    relayer: chain.relayer,
  };
}

export const ownRpc = ({ baseUrl }: { baseUrl: string }): string => `${baseUrl}/rpc`;
