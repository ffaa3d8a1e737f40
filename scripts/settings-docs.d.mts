/** @param page docs/operating/settings.md */
export function settingsDocs(page?: string): { example: string; page: string | undefined };
