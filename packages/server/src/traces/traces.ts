/** What may be told of a part of a request: names and outcomes, never what anybody wrote or who they are. */
export type Attributes = Readonly<Record<string, string | number>>;

/** A request's span. */
export interface RequestSpan {
  /** Runs `go` in it: what is a part then is a part of this request. */
  enter(go: () => void): void;
  /** By the name of its operation or the pattern of its path. */
  end(operation: string, status: number): void;
}

/** Where the time of a request goes. */
export interface Traces {
  /** Begins a request's span; `traceparent` is the caller's, to be continued. */
  request(method: string, traceparent: string | undefined): RequestSpan;
  /** A part of the request under way. Outside of one it just runs. */
  part<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /** Sends what is gathered. */
  stop(): Promise<void>;
}
