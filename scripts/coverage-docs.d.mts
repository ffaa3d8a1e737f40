/** Returns the text of docs/coverage.md. */
export function coverageDocs(): string;
