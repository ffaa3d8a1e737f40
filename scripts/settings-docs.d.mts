/** Returns `.env.example`, and docs/operating/settings.md (passed as text) with a new table. */
export function settingsDocs(page?: string): { example: string; page: string | undefined };
