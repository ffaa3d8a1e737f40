export function* receiptVectors() {}
