export type Attributes = Readonly<Record<string, string | number>>;

export interface RequestSpan {
  enter(go: () => void): void;
  end(operation: string, status: number): void;
}

export interface Traces {
  request(method: string, traceparent: string | undefined): RequestSpan;
  /** Runs `work` in a span of the current request, if there is one. */
  part<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}
