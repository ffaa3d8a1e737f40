/** A client can choose sets, so that a model loads fewer tools. */
export const TOOLSETS = ['read', 'verify', 'write', 'forecast'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/**
 * @param text comma-separated names
 * @returns undefined for all tools
 * @throws {TypeError}
 */
export function readToolsets(text: string | undefined): readonly Toolset[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',');
  if (!names.every((name) => (TOOLSETS as readonly string[]).includes(name)))
    throw new TypeError(`toolsets: choose from ${TOOLSETS.join(', ')}, comma-separated`);
  return TOOLSETS.filter((name) => names.includes(name));
}
