/** An answer whose form the test looks at itself. */
export type Json = any;
