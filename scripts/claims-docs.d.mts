/** Returns the text of docs/claims.md. */
export function claimsDocs(): string;
