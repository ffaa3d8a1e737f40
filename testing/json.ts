/** The test checks its form. */
export type Json = any;
