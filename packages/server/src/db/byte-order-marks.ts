/**
 * PGlite decodes every value with `new TextDecoder()`, which drops a leading byte order mark: a text that begins
 * with one would come back changed, and no longer match its hash. It takes the decoder from the global scope, so
 * decoders made without options keep the mark from here on. (With options, or by `fetch`, nothing changes.)
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
