/** Attributes of a span: names and outcomes, never user texts or identities. */
export type Attributes = Readonly<Record<string, string | number>>;

export interface RequestSpan {
  /** Runs `go` inside this span, so that its parts belong to the request. */
  enter(go: () => void): void;
  /** `operation`: the operation's name or the pattern of the path. */
  end(operation: string, status: number): void;
}

export interface Traces {
  /** Starts a request's span; `traceparent` is the client's header. */
  request(method: string, traceparent: string | undefined): RequestSpan;
  /** Runs `work` in a span of the current request, or without one outside a request. */
  part<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}
