import type { SiteChain } from '../site.ts';

interface TrustFields {
  rpcUrl: string;
  chainId: string;
  contract: string;
  schemaUid: string;
  relayer: string;
}

const PASTE_ALL = 'Paste the whole file: it fills in the five values below, and the check runs again.';

const NO_FIELDS: TrustFields = { rpcUrl: '', chainId: '', contract: '', schemaUid: '', relayer: '' };

interface TrustFormProps {
  fields?: TrustFields;
  source: string;
  takesEvidence?: boolean;
  judgesTimeStamps?: boolean;
}

/** A script fills the form. Without `fields` the reader enters everything. */
export function TrustForm(props: TrustFormProps) {
  const { fields = NO_FIELDS, source, takesEvidence = false, judgesTimeStamps = false } = props;
  const isEmpty = fields === NO_FIELDS;
  return (
    <form class="trust" data-trust="" hidden novalidate>
      <h3>Where the chain is read, and what is trusted</h3>
      {isEmpty && (
        <>
          <p class="quiet">{source}</p>
          <div class="field">
            <label for="trust-info">The service’s svc.json</label>
            <textarea
              id="trust-info"
              data-info=""
              rows={3}
              autocomplete="off"
              spellcheck={false}
              aria-describedby="trust-info-hint"
            />
            <p class="hint" id="trust-info-hint" role="status">
              {PASTE_ALL}
            </p>
          </div>
        </>
      )}
      <Field
        name="rpcUrl"
        label="RPC endpoint"
        value={fields.rpcUrl}
        hint={
          isEmpty
            ? 'A JSON-RPC endpoint of this chain that browsers may read: a node that you or people you trust run.'
            : 'A JSON-RPC endpoint of this chain that browsers may read. This service names the one above. A node that you or people you trust run is more independent.'
        }
      />
      {takesEvidence && (
        <Field
          name="blockHash"
          label="Block hash, for evidence"
          value=""
          hint="Without it, your browser reads this hash from the endpoint. A retracted etch may have two blocks: enter both hashes."
        />
      )}
      {judgesTimeStamps && (
        <div class="field">
          <label for="trust-tsaCertificates">Certificates of a time-stamping authority, in PEM</label>
          <textarea
            id="trust-tsaCertificates"
            name="tsaCertificates"
            rows={3}
            spellcheck={false}
            aria-describedby="trust-tsaCertificates-hint"
          />
          <p class="hint" id="trust-tsaCertificates-hint">
            Get them from the authority, never from the file. With certificates, a time stamp must be in the
            file and hold. Without certificates, your browser checks no time stamp.
          </p>
        </div>
      )}
      <details open={isEmpty}>
        <summary>Chain, contract, schema and attester</summary>
        {!isEmpty && <p class="quiet">{source}</p>}
        <Field name="chainId" label="Chain id" value={fields.chainId} />
        <Field name="contract" label="Attestation contract" value={fields.contract} />
        <Field name="schemaUid" label="Schema" value={fields.schemaUid} />
        <Field name="relayer" label="Trusted attester" value={fields.relayer} />
      </details>
      <button type="submit">Check again</button>
    </form>
  );
}

type FieldProps = { name: keyof TrustFields | 'blockHash'; label: string; value: string; hint?: string };

function Field({ name, label, value, hint }: FieldProps) {
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
