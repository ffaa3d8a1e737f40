// Exports traces by OTLP.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Traces } from './traced.ts';
import type { OtlpOptions } from './variables.ts';

/** An unreachable collector must not delay the shutdown. */
const EXPORT_MS = 2_000;

export function openTraces({ endpoint, headers, ratio }: OtlpOptions): Traces {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: EXPORT_MS,
  });
  const share = new TraceIdRatioBasedSampler(ratio);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'commitment-service' }),
    // Any client may send a traceparent: it sets the trace id but not how many requests are traced.
    sampler: new ParentBasedSampler({
      root: share,
      remoteParentSampled: share,
      remoteParentNotSampled: new AlwaysOffSampler(),
    }),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: EXPORT_MS })],
  });
  const tracer = provider.getTracer('commitment-service');
  const current = new AsyncLocalStorage<Span>();

  return {
    request(method, traceparent) {
      const attributes = { 'http.request.method': method };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, contextOf(traceparent));
      return {
        enter: (go) => current.run(span, go),
        end(operation, status) {
          span.updateName(operation);
          span.setAttributes({ 'http.route': operation, 'http.response.status_code': status });
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async part(name, attributes, work) {
      const parent = current.getStore();
      if (!parent?.isRecording()) return work();
      const span = tracer.startSpan(
        name,
        { attributes: { ...attributes } },
        trace.setSpan(ROOT_CONTEXT, parent),
      );
      try {
        return await current.run(span, work);
      } catch (error) {
        // A message may contain user texts.
        if (error instanceof Error) span.setAttribute('error.type', error.name);
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    stop: () => provider.shutdown(),
  };
}

function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
