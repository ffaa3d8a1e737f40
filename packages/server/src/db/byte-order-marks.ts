/**
 * PGlite's `TextDecoder` drops a leading byte order mark, so the text would not match its hash. This replaces the
 * class for decoders made without options.
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
