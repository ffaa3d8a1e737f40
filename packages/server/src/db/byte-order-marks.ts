/**
 * PGlite decodes values with the global `TextDecoder`, which drops a leading byte order mark: the text would no
 * longer match its hash. This replaces the class, so that decoders made without options keep the mark; others, and
 * `fetch`, do not change.
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
