/** Names and outcomes, never user texts or identities. */
export type Attributes = Readonly<Record<string, string | number>>;

export interface RequestSpan {
  /** Parts of the request run inside this span. */
  enter(go: () => void): void;
  /** `operation`: the operation's name or the pattern of the path. */
  end(operation: string, status: number): void;
}

export interface Traces {
  /** `traceparent` is the client's header. */
  request(method: string, traceparent: string | undefined): RequestSpan;
  /** Runs `work` in a span of the current request, if there is one. */
  part<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}
