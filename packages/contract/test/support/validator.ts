import { createRequire } from 'node:module';
import { describeIssues, FORMATS, type ErrorDetail, type ValidatorIssue } from '@svc/contract';

export interface Validate {
  (value: unknown): boolean;
  errors?: ValidatorIssue[] | null;
}

export interface Ajv {
  compile(schema: object): Validate;
  addSchema(schema: object, key?: string): Ajv;
  getSchema(ref: string): Validate | undefined;
  validateSchema(schema: object): boolean;
  addFormat(name: string, check: (text: string) => boolean): Ajv;
}

// The framework depends on the server's validator, so it is resolved from there.
const here = createRequire(import.meta.url);
const framework = createRequire(here.resolve('fastify'));
const compiler = createRequire(framework.resolve('@fastify/ajv-compiler'));

function ready(module: string, options: object): Ajv {
  const { default: Make } = compiler(module) as { default: new (options: object) => Ajv };
  const ajv = new Make({ strict: false, allErrors: true, verbose: true, ...options });
  (compiler('ajv-formats') as (ajv: Ajv) => void)(ajv);
  for (const [name, check] of Object.entries(FORMATS)) ajv.addFormat(name, check);
  return ajv;
}

/** As the server. */
export const serverAjv = (): Ajv => ready('ajv', { coerceTypes: false, removeAdditional: false });

/** The dialect of OpenAPI 3.1. */
export const ajv2020 = (): Ajv => ready('ajv/dist/2020', {});

export function issuesOf(validate: Validate, value: unknown): ErrorDetail[] {
  return validate(value) ? [] : describeIssues(validate.errors ?? []);
}
