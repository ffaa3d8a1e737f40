/** An answer whose form the test looks at itself. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;
