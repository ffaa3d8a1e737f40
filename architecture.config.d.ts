export const PACKAGES: Readonly<Record<string, readonly string[]>>;
export const OUTSIDE_PACKAGES: Readonly<Record<string, readonly string[]>>;
export const LAYERS: readonly (readonly string[])[];
export const ONLY_FOR: Readonly<Record<string, { modules: readonly string[]; why: string }>>;
export const APART: Readonly<
  Record<string, { of: readonly string[]; shapesOf: readonly string[]; why: string }>
>;
export const MODULES: Readonly<Record<string, string>>;
export const UPWARD: readonly { from: string; to: string; why: string }[];
export const TABLES: Readonly<Record<string, string>>;
export const WRITES_TOO: readonly { module: string; table: string; why: string }[];
export const WRITES_ANY: { files: string[]; why: string };
export const SQL_ELSEWHERE: readonly string[];
