import { FORMATS, ROUTES } from '@svc/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ strict: false, allErrors: true });
for (const [name, check] of Object.entries(FORMATS)) ajv.addFormat(name, check);
for (const name of ['uri', 'date']) ajv.addFormat(name, true);

const compiled = new Map<object, ValidateFunction>();
const routes = Object.values(ROUTES).map((route) => ({
  route,
  path: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

export function contractProblem(
  method: string,
  path: string,
  status: number,
  body: unknown,
): string | undefined {
  const found = routes.find(({ route, path: pattern }) => route.method === method && pattern.test(path));
  if (!found) return undefined;
  if (
    status === 304 &&
    body === undefined &&
    (found.route.success as { headers?: readonly string[] }).headers?.includes('ETag')
  )
    return undefined;
  const answer = found.route.responses[status] as { schema: object } | undefined;
  if (!answer) return `${found.route.operationId} answered ${status}, which the contract does not list`;
  let validate = compiled.get(answer.schema);
  if (!validate) compiled.set(answer.schema, (validate = ajv.compile(answer.schema)));
  if (validate(body)) return undefined;
  return `${found.route.operationId} ${status}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 2_000)}`;
}
