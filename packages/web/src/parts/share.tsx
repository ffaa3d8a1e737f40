import type { Etch } from '@svc/contract';
import { say } from './prose.tsx';
import { facts } from './values.tsx';
import { UNTRANSLATED } from '../untranslated.ts';

export const shortAddress = (label: string, url: string, here: string) =>
  [
    label,
    <a href={url} data-copy="short link">
      {url}
    </a>,
    <details class="qr">
      <summary>QR code</summary>
      <img src={`${here}/qr.svg`} width="180" height="180" alt={`QR code of ${url}`} loading="lazy" />
    </details>,
  ] as const;

/** Scripts show it: copy.js opens the sharing of the device where it exists, and else copies the address. */
export const ShareButton = ({ url, isFirst = false }: { url: string; isFirst?: boolean }) => (
  <button type="button" class={isFirst ? undefined : 'secondary'} data-share={url} hidden>
    Share
  </button>
);

export const EmbedCode = ({ what, code }: { what: string; code: string }) => (
  <details class="for-sites">
    <summary>Embed {what}</summary>
    <code class="exact" {...UNTRANSLATED} data-copy="embed code">
      {code}
    </code>
  </details>
);

type ShareProps = { etch: Etch; frame: string; picture: { url: string; text: string }; isAuthor: boolean };

export function Share({ etch, frame, picture, isAuthor }: ShareProps) {
  const here = `/e/${etch.id}`;
  const data = `/api/v1/etches/${etch.id}`;
  const isAnchored = etch.chain.status === 'anchored';
  return (
    <section class={`share${isAuthor ? ' own' : ''}`} aria-labelledby="share" data-part="share">
      <h2 id="share">Link and files</h2>
      {!isAnchored && (
        <p class="quiet">The link works now. The proof files are ready once the etch is anchored.</p>
      )}
      {facts(shortAddress('Short link', etch.short_url, here))}
      <details>
        <summary>{isAnchored ? 'Proof files, embed and data' : 'Embed and data'}</summary>
        {facts(
          ['Full address', <a href={etch.url}>{etch.url}</a>],
          isAnchored && [
            'Proof',
            <ul class="plain-list">
              <li>
                <a href={`${here}/receipt.html`} download={`receipt-${etch.code}.html`}>
                  Receipt that checks itself
                </a>
                , or <a href={`${data}/receipt`}>as data</a>
              </li>
              <li>
                {say`
                [Evidence from the chain](${data}/evidence), or
                [both in one page](${here}/receipt.html?evidence=1)
              `}
              </li>
              <li>
                {say`
                Receipt that says which of the author’s etches it is, as [a page](${here}/receipt.html?index=1)
              `}
              </li>
            </ul>,
          ],
          isAnchored && [
            'Previews',
            <details class="preview" open={isAuthor}>
              <summary>The picture that they show</summary>
              <img src={picture.url} width="1200" height="630" alt={picture.text} loading="lazy" />
            </details>,
          ],
          ['On another site', <EmbedCode what="this etch" code={frame} />],
          ['As data', say`[JSON](${data}), [markdown](${here}.md)`],
        )}
      </details>
    </section>
  );
}
