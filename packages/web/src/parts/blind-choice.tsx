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
            <strong>Encrypted in this browser until a date</strong>
            <span class="quiet">
              A blind seal: this service never has the words, and anybody can open them from then on, by a
              public key of the drand network. At most {most} bytes; a letter of English is one, an emoji
              four.
            </span>
          </span>
        </label>
      </template>
      <noscript>
        <p class="hint">
          With scripts switched on, your browser can also encrypt the words until a date, so that this service
          never has them. <code>svc etch --blind</code> does it without.
        </p>
      </noscript>
    </>
  );
}
