export function withoutPlace(page: string, parts: readonly string[]): string[];
export function withFigures(page: string, part: string, text: string): string;
