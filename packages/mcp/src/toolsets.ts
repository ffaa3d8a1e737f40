/** A model then loads fewer tools. */
export const TOOLSETS = ['read', 'verify', 'write', 'forecast'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** @throws {TypeError} for an unknown name */
export function readToolsets(text: string | undefined): readonly Toolset[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',');
  if (!names.every((name) => (TOOLSETS as readonly string[]).includes(name)))
    throw new TypeError(`toolsets: choose from ${TOOLSETS.join(', ')}, comma-separated`);
  return TOOLSETS.filter((name) => names.includes(name));
}
