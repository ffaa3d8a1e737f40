export const PICTURES: readonly string[];
