/**
 * PGlite decodes every value with `new TextDecoder()`, which drops a leading byte order mark: a text that begins with
 * one would change and no longer match its hash. PGlite uses the global class, so this replaces it: decoders made
 * without options keep the mark. Decoders with options, and `fetch`, do not change.
 */
export function keepByteOrderMarks(): void {
  const Original = globalThis.TextDecoder;
  if ('keepsByteOrderMarks' in Original) return;
  globalThis.TextDecoder = class extends Original {
    static readonly keepsByteOrderMarks = true;
    constructor(label?: string, options?: ConstructorParameters<typeof TextDecoder>[1]) {
      super(label, options ?? { ignoreBOM: true });
    }
  };
}
