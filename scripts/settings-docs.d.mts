/** Returns `.env.example`, and docs/operating.md (passed as text) with a new table. */
export function settingsDocs(page?: string): { example: string; page: string | undefined };
