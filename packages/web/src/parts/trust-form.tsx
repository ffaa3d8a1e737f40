import type { VNode } from 'preact';

/** Every value can be changed. */
export interface TrustFields {
  rpcUrl: string;
  /** empty while unknown */
  chainId: string;
  contract: string;
  schemaUid: string;
  relayer: string;
}

const NO_FIELDS: TrustFields = { rpcUrl: '', chainId: '', contract: '', schemaUid: '', relayer: '' };

/** By its script. Without `fields` the reader enters everything. */
export function TrustForm({
  fields = NO_FIELDS,
  source,
  takesEvidence = false,
  judgesTimeStamps = false,
}: {
  fields?: TrustFields;
  source: string;
  /** evidence needs only a block's hash */
  takesEvidence?: boolean;
  /** of evidence */
  judgesTimeStamps?: boolean;
}): VNode {
  const isEmpty = fields === NO_FIELDS;
  return (
    <form class="trust" data-trust="" hidden novalidate>
      <h3>Where the chain is read, and what is trusted</h3>
      {isEmpty && <p class="quiet">{source}</p>}
      <Field
        name="rpcUrl"
        label="RPC endpoint"
        value={fields.rpcUrl}
        hint={
          isEmpty
            ? 'Any JSON-RPC endpoint of this chain that answers browsers: a node of your own, or of somebody you trust.'
            : 'Any JSON-RPC endpoint of this chain that answers browsers. The one filled in is this service’s or named by it, which is less independent: a node of your own, or of somebody you trust more, is better.'
        }
      />
      {takesEvidence && (
        <Field
          name="blockHash"
          label="Of evidence: the hash of its block, if you know it"
          value=""
          hint="With it nobody is asked. Without it the endpoint is asked for that hash, and for nothing else. A retracted etch may have two blocks: enter both hashes."
        />
      )}
      {judgesTimeStamps && (
        <div class="field">
          <label for="trust-tsaCertificates">
            Of time stamps: the certificates of the authority that you trust, in PEM
          </label>
          <textarea
            id="trust-tsaCertificates"
            name="tsaCertificates"
            rows={3}
            spellcheck={false}
            aria-describedby="trust-tsaCertificates-hint"
          />
          <p class="hint" id="trust-tsaCertificates-hint">
            From the authority itself, never from the file. With them a time stamp has to be there and to
            hold; without them nobody judges it.
          </p>
        </div>
      )}
      <details open={isEmpty}>
        <summary>Chain, contract, schema and attester</summary>
        {!isEmpty && <p class="quiet">{source}</p>}
        <Field name="chainId" label="Chain id" value={fields.chainId} />
        <Field name="contract" label="Attestation contract" value={fields.contract} />
        <Field name="schemaUid" label="Schema" value={fields.schemaUid} />
        <Field name="relayer" label="Attester whose word counts" value={fields.relayer} />
      </details>
      <button type="submit">Check again</button>
    </form>
  );
}

function Field({
  name,
  label,
  value,
  hint,
}: {
  name: keyof TrustFields | 'blockHash';
  label: string;
  value: string;
  hint?: string;
}): VNode {
  return (
    <div class="field">
      <label for={`trust-${name}`}>{label}</label>
      <input
        id={`trust-${name}`}
        name={name}
        value={value}
        type="text"
        inputmode={name === 'chainId' ? 'numeric' : 'url'}
        autocomplete="off"
        spellcheck={false}
        {...(hint ? { 'aria-describedby': `trust-${name}-hint` } : {})}
      />
      {hint && (
        <p class="hint" id={`trust-${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
