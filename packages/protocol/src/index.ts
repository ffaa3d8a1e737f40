export * from './attestation-data.ts';
export * from './build-tree.ts';
export * from './date-time.ts';
export * from './ed25519.ts';
export * from './etch-hash.ts';
export * from './hex.ts';
export { type ServiceChain, type Move, moveText, parseMove } from './move.ts';
export * from './packed-leaves.ts';
export * from './promise.ts';
export * from './receipt.ts';
export { ReceiptError } from './receipt-fields.ts';
export * from './shared-words.ts';
export * from './signed-strings.ts';
export * from './text.ts';
export * from './time.ts';
export * from './tree.ts';
export {
  escapeInvisible,
  escapeInvisibleInLine,
  replaceInvisible,
  escapeInvisibleInJson,
  type InvisibleCharacter,
  invisibleIn,
} from './invisible-characters.ts';
export * from './taken-down.ts';
