import type { Etch } from '@svc/contract';
import { Fact, Facts } from './values.tsx';

export function QrCode({ src, of }: { src: string; of: string }) {
  return (
    <details class="qr">
      <summary>QR code</summary>
      <img src={src} width="180" height="180" alt={`QR code of ${of}`} loading="lazy" />
    </details>
  );
}

type ShareProps = { etch: Etch; frame: string; picture: { url: string; text: string }; isAuthor: boolean };

export function Share({ etch, frame, picture, isAuthor }: ShareProps) {
  const here = `/e/${etch.id}`;
  const isAnchored = etch.chain.status === 'anchored';
  return (
    <section class={`share${isAuthor ? ' own' : ''}`} aria-labelledby="share" data-part="share">
      <h2 id="share">Share it</h2>
      {!isAnchored && (
        <p class="quiet">Its link holds already. What proves it comes once it is on the chain.</p>
      )}
      <Facts>
        <Fact label="Short link">
          <a href={etch.short_url} data-copy="short link">
            {etch.short_url}
          </a>
          <QrCode src={`${here}/qr.svg`} of={etch.short_url} />
        </Fact>
        <Fact label="Full address" value={<a href={etch.url}>{etch.url}</a>} />
        {isAnchored && (
          <Fact label="Proof">
            <ul class="plain-list">
              <li>
                <a href={`${here}/receipt.html`} download={`receipt-${etch.code}.html`}>
                  Receipt that checks itself
                </a>
                , or <a href={`/api/v1/etches/${etch.id}/receipt`}>as data</a>
              </li>
              <li>
                <a href={`/api/v1/etches/${etch.id}/evidence`}>Evidence from the chain</a>, or{' '}
                <a href={`${here}/receipt.html?evidence=1`}>both in one page</a>
              </li>
            </ul>
          </Fact>
        )}
        {isAnchored && (
          <Fact label="Previews">
            <details class="preview" open={isAuthor}>
              <summary>The picture that they show</summary>
              <img src={picture.url} width="1200" height="630" alt={picture.text} loading="lazy" />
            </details>
          </Fact>
        )}
        <Fact label="On another site">
          <details class="for-sites">
            <summary>Embed this etch</summary>
            <code class="exact" data-copy="embed code">
              {frame}
            </code>
          </details>
        </Fact>
        <Fact label="As data">
          <a href={`/api/v1/etches/${etch.id}`}>JSON</a>, <a href={`${here}.md`}>markdown</a>
        </Fact>
      </Facts>
    </section>
  );
}
