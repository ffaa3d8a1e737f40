// Reads the standard variables of OpenTelemetry.
import { type Environment, readSettings } from '../../settings/environment.ts';
import { ConfigError } from '../../settings/read-config.ts';
import { list, matching, optional, secret, setting, webUrl } from '../../settings/values.ts';

/** Standard variables of OpenTelemetry (docs/operating/monitoring.md#traces). */
const VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional('collector, without /v1/traces', webUrl),
  OTEL_EXPORTER_OTLP_HEADERS: secret('headers for the collector', headerList),
  OTEL_TRACES_SAMPLER_ARG: setting(
    '1',
    'share of requests that are traced',
    matching(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1', Number),
  ),
};

export interface OtlpOptions {
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  ratio: number;
}

/** Undefined without a collector. @throws ConfigError */
export function readTraceVariables(environment: Environment): OtlpOptions | undefined {
  const problems: string[] = [];
  const found = readSettings(VARIABLES, environment, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = {} } = found;
  return endpoint === undefined ? undefined : { endpoint, headers, ratio: found.OTEL_TRACES_SAMPLER_ARG };
}

function headerList(value: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list(value).map((item) => {
      const [, name, text] = /^([!#$%&'*+.^_`|~0-9a-z-]+)=([\x20-\x7e]*)$/i.exec(item) ?? [];
      if (name === undefined || text === undefined)
        throw new Error('must be name=value, separated by commas');
      return [name, decodeURIComponent(text)];
    }),
  );
}
