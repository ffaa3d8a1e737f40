/** `.env.example`, and docs/operating.md (given as it is) with its table made anew. */
export function settingsDocs(page?: string): { example: string; page: string | undefined };
