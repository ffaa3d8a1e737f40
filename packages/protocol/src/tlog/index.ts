export * from './checkpoint.ts';
export {
  decodeBase64,
  encodeBase64,
  isSignedBy,
  LOG_KEY,
  ML_DSA_KEY,
  type Note,
  type NoteSignature,
  parseNote,
  parseSignatureLine,
  parseVerifierKey,
  signatureLine,
  TlogError,
  type VerifierKey,
  verifierKey,
  WITNESS_KEY,
  writeVerifierKey,
} from './note.ts';
export * from './policy.ts';
export * from './proof.ts';
export * from './tiles.ts';
export * from './tree-proofs.ts';
