import type { Etch, EvidenceFile, Receipt } from '@svc/contract';
import { renderToString } from 'preact-render-to-string';
import { titleOf } from './etch-text.ts';
import { cut, safeJson, safeLine } from './safe-text.ts';
import { UnhashedFields } from './parts/unhashed-fields.tsx';
import { BlindNote } from './parts/blind-words.tsx';
import { ownRpc, PinsField, TrustForm } from './parts/trust-form.tsx';
import { isDevnet, type Site, SITE_NAME } from './site.ts';
import { NotChecked, SaidVerdict } from './parts/checks.tsx';
import { Seal } from './parts/seal.tsx';
import { safe } from './parts/values.tsx';
import { Banner } from './layout.tsx';

/** The base64 SHA-256 goes into the policy of the file. */
export interface ReceiptFileParts {
  script: string;
  scriptHash: string;
  style: string;
  styleHash: string;
}

/** The file may only read the chain, from any host. */
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
 * A file with a receipt and its verifier, which opens without the service
 * (docs/specification.md#records-at-their-urls).
 */
export function receiptFile(
  site: Site,
  { etch, receipt, evidence }: { etch: Etch; receipt: Receipt; evidence?: EvidenceFile },
  parts: ReceiptFileParts,
): string {
  const title = `Receipt: ${cut(safeLine(etch.description), 120)}`;
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
          <Banner label="Development chain" warns>
            This receipt is for testing only: whoever runs its development chain can rewrite it.
          </Banner>
        )}
        <header class="site-header">
          <div class="wide">
            <span class="wordmark">
              <Seal state="sealed" /> {SITE_NAME}
            </span>
          </div>
        </header>
        <main id="main" class="narrow">
          <header class="page-head">
            <h1>Receipt of an etch</h1>
            <p class="lead">
              This file checks itself: it hashes the words again and reads the chain now. No file can vouch
              for itself: the verdict counts once you enter the values of the service.
            </p>
            <p>
              The file says that it is from {new URL(site.baseUrl).host}: “{safe(titleOf(etch))}” by @
              {etch.author.username}. No check covers this sentence.
            </p>
            {evidence && (
              <p>
                This file has evidence, which proves its attestation down to a block. Only the hash of that
                block must come from elsewhere. Evidence cannot show that nothing was revoked later.
              </p>
            )}
          </header>
          <BlindNote site={site} etch={etch} />
          <section
            data-verify=""
            data-own-rpc={ownRpc(site)}
            data-rpc={site.chain.rpcUrl}
            data-learn={`${site.baseUrl}/verify/how`}
            aria-labelledby="result"
          >
            <h2 id="result">The verdict</h2>
            <SaidVerdict />
            <div data-result="">
              <NotChecked>
                This file checks itself when scripts are on. Without them nothing in it is checked: run{' '}
                <code>svc verify</code> on it.
              </NotChecked>
            </div>
            <PinsField />
            <TrustForm
              takesEvidence={evidence !== undefined}
              logKeys={'index' in (evidence?.receipt ?? receipt) ? '' : undefined}
              source="The verdict counts once you enter all five values, or paste the values of the service under the verdict."
            />
          </section>
          <UnhashedFields
            etch={etch}
            text="The service wrote this into the file. No check covers it, and anyone who edits the file can change it."
          />
        </main>
        <script
          type="application/json"
          id="receipt"
          dangerouslySetInnerHTML={{ __html: asScriptData(evidence ?? receipt) }}
        />
        <script dangerouslySetInnerHTML={{ __html: parts.script }} />
      </body>
    </html>,
  );
  return `<!doctype html>\n${html}\n`;
}

/** A `<` could begin a closing tag or a comment. */
function asScriptData(value: unknown): string {
  return safeJson(value).replaceAll('<', '\\u003c');
}
