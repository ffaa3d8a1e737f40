import type { TSchema } from 'typebox';
import { PORTABLE_PATTERNS } from '../formats.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Without the fields that are undefined. */
export const json = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Used by our own validation.
const PRIVATE = new Set(['x-message', 'x-shown-as']);

/** A schema with a title becomes a component, and each use of it a reference. */
export class SchemaBook {
  private readonly components = new Map<string, { text: string; schema: JsonObject }>();

  write(schema: TSchema): Json {
    return this.visit(json(schema));
  }

  writeAs(name: string, schema: TSchema): Json {
    return this.visit({ ...(json(schema) as JsonObject), title: name });
  }

  all(): { [name: string]: Json } {
    const names = [...this.components.keys()].sort();
    return Object.fromEntries(names.map((name) => [name, this.components.get(name)?.schema ?? {}]));
  }

  private visit(node: Json): Json {
    if (Array.isArray(node)) return node.map((item) => this.visit(item));
    if (!isObject(node)) return node;
    const title = node['title'];
    if (typeof title !== 'string') return this.inside(node);

    const text = JSON.stringify(node);
    const known = this.components.get(title);
    if (known !== undefined && known.text !== text) throw new Error(`two schemas are named ${title}`);
    if (known === undefined) {
      const entry = { text, schema: {} };
      this.components.set(title, entry);
      Object.assign(entry.schema, this.inside(node));
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  private inside(node: JsonObject): JsonObject {
    const shown = node['x-shown-as'];
    const plain: JsonObject = isObject(shown)
      ? { ...(node['description'] === undefined ? {} : { description: node['description'] }), ...shown }
      : node;
    // Our answers are closed, but a client must survive a field that a later version adds.
    const entries = Object.entries(plain).filter(
      ([key, value]) => !PRIVATE.has(key) && !(key === 'additionalProperties' && value === false),
    );
    // The keys of `properties` are field names, and one may be `title`.
    return Object.fromEntries(
      entries.map(([key, value]) => [
        key,
        key === 'properties' && isObject(value)
          ? Object.fromEntries(Object.entries(value).map(([field, schema]) => [field, this.visit(schema)]))
          : key === 'pattern'
            ? (PORTABLE_PATTERNS[value as string] ?? value)
            : this.visit(value),
      ]),
    );
  }
}
