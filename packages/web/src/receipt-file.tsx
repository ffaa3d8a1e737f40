import type { Etch, Receipt } from '@svc/contract';
import { pathToRoot } from '@svc/verifier';
import { renderToString } from 'preact-render-to-string';
import { cut, inertJson, inertLine } from './inert.ts';
import { Facts } from './parts/facts.tsx';
import { Glyph } from './parts/glyph.tsx';
import { Hash } from './parts/hash.tsx';
import { ProofPath } from './parts/proof-path.tsx';
import { StandingNotice } from './parts/standing.tsx';
import { Text } from './parts/text.tsx';
import { TrustForm } from './parts/trust-form.tsx';
import { standingOf } from './proven.ts';
import { isDevnet, type Site } from './site.ts';
import { ownRpc, trustFields } from './trust-fields.ts';

/** Script and style as built, and the base64 SHA-256 of each, by which the file's own policy knows them. */
export interface ReceiptFileParts {
  script: string;
  scriptHash: string;
  style: string;
  styleHash: string;
}

/** May read the chain anywhere, and do nothing else. */
export function receiptFilePolicy({ scriptHash, styleHash }: ReceiptFileParts): string {
  return [
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}'`,
    `style-src 'sha256-${styleHash}'`,
    'connect-src https: http:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * One file that holds a receipt and what checks it, and needs nobody to be opened
 * (docs/specification.md#records-at-their-urls).
 */
export function receiptFile(
  site: Site,
  { etch, receipt }: { etch: Etch; receipt: Receipt },
  parts: ReceiptFileParts,
): string {
  const standing = standingOf(etch, { devnet: isDevnet(site), anchorSeconds: site.anchorSeconds });
  const title = `Receipt: ${cut(inertLine(etch.description), 120)}`;
  const html = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={receiptFilePolicy(parts)} />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <style dangerouslySetInnerHTML={{ __html: parts.style }} />
      </head>
      <body>
        {isDevnet(site) && (
          <aside class="devnet" aria-label="Development chain">
            <div class="wide">
              <Glyph name="warn" />
              <p>This receipt is of a development chain. It convinces nobody but whoever runs that chain.</p>
            </div>
          </aside>
        )}
        <main id="main" class="narrow">
          <header class="page-head">
            <p class="card-top quiet">Receipt of an etch</p>
            <h1>
              <Text>{etch.description}</Text>
            </h1>
            <p class="byline">
              by @{etch.author.username} · <a href={etch.url}>{etch.url}</a>
            </p>
          </header>
          {etch.content !== null && (
            <blockquote class="words full">
              <Text>{etch.content}</Text>
            </blockquote>
          )}
          <StandingNotice standing={standing} />
          <section
            data-verify=""
            data-own-rpc={ownRpc(site)}
            data-learn={`${site.baseUrl}/verify`}
            aria-labelledby="result"
          >
            <h2 id="result">The three checks</h2>
            <div data-result="" role="status">
              <p class="overall wait" data-overall="none">
                <span>
                  Nothing was checked yet: this file checks itself when scripts are on. Without them, save the
                  receipt below and run <code>svc verify</code>.
                </span>
              </p>
            </div>
            <figure class="path-figure" data-path="" hidden={receipt.inclusion === null}>
              {receipt.inclusion && (
                <ProofPath
                  path={pathToRoot(
                    receipt.inclusion.tree_version,
                    receipt.author.user_id,
                    receipt.hash,
                    receipt.inclusion.proof,
                  )}
                  proof={receipt.inclusion.proof}
                  root={receipt.inclusion.root}
                />
              )}
              <figcaption>
                From the leaf of this etch at the bottom to the root that the chain holds.
              </figcaption>
            </figure>
            <TrustForm
              fields={trustFields(site.chain, site.chain.rpcUrl)}
              source="Filled in when this file was made, by the service that made it. Compare it with what you know from elsewhere: whoever names the attester decides what is true."
            />
          </section>
          <section>
            <h2>What was recorded</h2>
            <Facts
              facts={[
                { label: 'Hash (SHA-256)', value: <Hash value={etch.hash} /> },
                receipt.chain.attestation_uid && {
                  label: 'Attestation',
                  value: <Hash value={receipt.chain.attestation_uid} />,
                },
                { label: 'Chain', value: `${receipt.chain.name}, id ${receipt.chain.chain_id}` },
              ]}
            />
            <details>
              <summary>The receipt itself</summary>
              <pre class="receipt">
                <code>
                  <Text>{JSON.stringify(receipt, null, 2)}</Text>
                </code>
              </pre>
            </details>
          </section>
        </main>
        <script
          type="application/json"
          id="receipt"
          dangerouslySetInnerHTML={{ __html: asScriptData(receipt) }}
        />
        <script dangerouslySetInnerHTML={{ __html: parts.script }} />
      </body>
    </html>,
  );
  return `<!doctype html>\n${html}\n`;
}

/** JSON that no text in it can end: `<` could begin a closing tag or a comment. */
export function asScriptData(value: unknown): string {
  return inertJson(value).replaceAll('<', '\\u003c');
}
