import type { EtchStatus } from '@svc/contract';
import type { VNode } from 'preact';
import { Glyph } from './glyph.tsx';

const WORDS: Readonly<Record<EtchStatus, string>> = {
  sealed: 'Sealed',
  revealed: 'Public',
  retracted: 'Retracted',
};

/** @param blind is what is public the ciphertext alone? */
export function StatusTag({ status, blind = false }: { status: EtchStatus; blind?: boolean }): VNode {
  if (blind)
    return (
      <span class="tag sealed">
        <Glyph name="sealed" /> Sealed by its author
      </span>
    );
  return (
    <span class={`tag ${status}`}>
      <Glyph name={status} /> {WORDS[status]}
    </span>
  );
}
