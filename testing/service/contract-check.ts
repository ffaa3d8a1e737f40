import { FORMATS, ROUTES } from '@svc/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false });
for (const [name, check] of Object.entries(FORMATS)) ajv.addFormat(name, check);
for (const name of ['uri', 'date']) ajv.addFormat(name, true);

/** Keywords that contain values, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples']);
/** The text of each titled schema. */
const shared = new Map<string, string>();

/** Replaces titled schemas with references, because compiling a copy in each answer takes seconds. */
function withReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withReferences);
  if (typeof node !== 'object' || node === null) return node;
  const inside = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, DATA.has(key) ? value : withReferences(value)]),
  );
  const { title } = inside;
  if (typeof title !== 'string') return inside;
  const text = JSON.stringify(inside);
  if (!shared.has(title)) {
    shared.set(title, text);
    ajv.addSchema(inside, title);
  }
  return shared.get(title) === text ? { $ref: title } : inside;
}

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
  const route = routes.find((one) => one.route.method === method && one.path.test(path))?.route;
  if (!route) return undefined;
  const { headers } = route.success as { headers?: readonly string[] };
  if (status === 304 && body === undefined && headers?.includes('ETag')) return undefined;
  const answer = route.responses[status] as { schema: object } | undefined;
  if (!answer) return `${route.operationId} answered ${status}, which the contract does not list`;
  let validate = compiled.get(answer.schema);
  if (!validate)
    compiled.set(
      answer.schema,
      (validate = ajv.compile(withReferences(JSON.parse(JSON.stringify(answer.schema))) as object)),
    );
  if (validate(body)) return undefined;
  const problems = ajv.errorsText(validate.errors);
  return `${route.operationId} ${status}: ${problems} in ${JSON.stringify(body).slice(0, 2_000)}`;
}
