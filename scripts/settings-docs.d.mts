export function settingsDocs(page?: string): { example: string; page: string | undefined };
