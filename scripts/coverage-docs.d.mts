export function coverageDocs(): string;
