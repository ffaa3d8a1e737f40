export type Json = any;
