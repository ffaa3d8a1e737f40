import type { EtchStatus } from '@svc/contract';
import type { VNode } from 'preact';
import { Glyph } from './glyph.tsx';

const WORDS: Readonly<Record<EtchStatus, string>> = {
  sealed: 'Sealed',
  revealed: 'Public',
  retracted: 'Retracted',
};

export function StatusTag({ status }: { status: EtchStatus }): VNode {
  return (
    <span class={`tag ${status}`}>
      <Glyph name={status} /> {WORDS[status]}
    </span>
  );
}
