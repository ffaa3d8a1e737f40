/** A kind of proof next to the chain. Each folder or file here describes one; index.ts lists them. */
export interface ProofKind {
  /** its name in `--require`, and in `by` of a witness */
  readonly need: string;
  /** in the JSON of `svc verify` */
  readonly field: string;
  readonly title: string;
  /** `kind` of its witnesses in evidence */
  readonly witness: string;
  /** in the help of `--require` */
  readonly about: string;
  /** what a browser says that a file with such a witness has */
  readonly found: string;
  /** whose time it proves; only for a kind that SDK and tools wait for and can require */
  readonly clock?: string;
}
