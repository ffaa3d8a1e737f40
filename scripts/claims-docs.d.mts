export function claimsDocs(): string;
