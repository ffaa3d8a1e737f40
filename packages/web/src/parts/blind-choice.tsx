import { type DrandChain, MOST_BLIND_BYTES } from '@svc/protocol/timelock';
import type { VNode } from 'preact';

/** A script must encrypt before anything is sent, so the choice is in a template. */
export function BlindChoice({ chain, lead }: { chain: DrandChain; lead: number }): VNode {
  const most = MOST_BLIND_BYTES.toLocaleString('en');
  return (
    <>
      <template data-blind={JSON.stringify(chain)} data-lead={lead} data-most={MOST_BLIND_BYTES}>
        <label class="mode">
          <input type="radio" name="mode" value="blind" />
          <span>
            <strong>Blind seal until a date</strong>
            <span class="quiet">
              Your browser encrypts the words, so this service never has them. Anyone can open them from then
              on, with a key that the drand network publishes. At most {most} bytes: an English letter is one,
              an emoji four.
            </span>
          </span>
        </label>
      </template>
      <noscript>
        <p class="hint">
          For a blind seal, your browser encrypts the words by a script, and scripts are switched off.{' '}
          <code>svc etch --blind</code> works without a browser.
        </p>
      </noscript>
    </>
  );
}
