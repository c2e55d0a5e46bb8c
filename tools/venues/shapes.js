/**
 * The shapes of an exchange's OpenAPI or AsyncAPI document: names, types and words of a list, of the routes that concern us, and no text. They are
 * kept in `fixtures/venues/`, so that nothing outside the repository is needed.
 */

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** @param file an OpenAPI or AsyncAPI document, in JSON or YAML. @returns it as OpenAPI has it */
export function readDocument(file) {
  const text = readFileSync(file, 'utf8');
  const document = file.endsWith('.json') ? JSON.parse(text) : parse(text);
  return document.asyncapi === undefined ? document : asRoutes(document);
}

/** The channels of a stream as if they were routes whose responses are their messages. */
function asRoutes(document) {
  const follow = (one) => (one?.$ref === undefined ? one : resolve(document, one.$ref));
  const answer = (message) => ({ content: { 'application/json': { schema: follow(message)?.payload ?? {} } } });
  const paths = Object.fromEntries(
    Object.entries(document.channels).map(([name, channel]) => [
      `/${name}`,
      { get: { responses: mapValues(channel.messages ?? {}, answer) } },
    ]),
  );
  return { openapi: '3.1.0', info: document.info, paths, components: document.components };
}

/** Keywords that describe the form of a value. */
const STRUCTURE = ['type', 'enum', 'required', 'nullable', '$ref', 'additionalProperties'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];

/** A schema without its texts, examples and extensions. */
export function shapeOf(schema) {
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  const shape = Object.fromEntries(
    STRUCTURE.filter((key) => schema[key] !== undefined).map((key) => [
      key,
      key === 'additionalProperties' ? shapeOf(schema[key]) : schema[key],
    ]),
  );
  if (schema.properties !== undefined) {
    shape.properties = mapValues(schema.properties, shapeOf);
  }
  if (schema.items !== undefined) {
    shape.items = shapeOf(schema.items);
  }
  for (const key of LISTS.filter((one) => schema[one] !== undefined)) {
    shape[key] = schema[key].map(shapeOf);
  }
  return shape;
}

/**
 * @param document an OpenAPI document
 * @param wanted whether a path concerns us
 * @returns a document of the same form with the shapes alone, and of schemas those that its routes reach
 */
export function readShapes(document, wanted) {
  const follow = (one) => (one?.$ref === undefined ? one : resolve(document, one.$ref));
  const paths = {};
  for (const [path, methods] of Object.entries(document.paths).filter(([path]) => wanted(path))) {
    paths[path] = {};
    for (const method of ['get', 'post', 'put', 'delete'].filter((one) => methods[one] !== undefined)) {
      const { parameters = [], requestBody, responses = {} } = methods[method];
      const body = follow(requestBody)?.content?.['application/json']?.schema;
      paths[path][method] = {
        parameters: [...(methods.parameters ?? []), ...parameters]
          .map(follow)
          .filter((one) => one.in === 'query')
          .map(({ name, required = false, schema }) => ({
            name,
            in: 'query',
            required,
            schema: shapeOf(schema ?? {}),
          })),
        ...(body === undefined ? {} : { requestBody: content(body) }),
        responses: mapValues(responses, (response) => {
          const schema = follow(response)?.content?.['application/json']?.schema;
          return schema === undefined ? {} : content(schema);
        }),
      };
    }
  }
  const schemas = {};
  const reach = (value) => {
    for (const name of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (schemas[name[1]] === undefined) {
        schemas[name[1]] = shapeOf(document.components.schemas[name[1]] ?? {});
        reach(schemas[name[1]]);
      }
    }
  };
  reach(paths);
  const { title, version } = document.info;
  return { openapi: document.openapi, info: { title, version }, paths, components: { schemas: sorted(schemas) } };
}

/** Lays the changes of a newer document, written by hand from its pages, over a whole older one. */
export function overlaid(document, changes) {
  const paths = { ...document.paths };
  for (const [path, methods] of Object.entries(changes.paths ?? {})) {
    const before = paths[path] ?? {};
    paths[path] = { ...before };
    for (const [method, { parameters = [], ...rest }] of Object.entries(methods)) {
      const named = new Set(parameters.map(({ name }) => name));
      const kept = (before[method]?.parameters ?? []).filter((one) => {
        const { name } = one.$ref === undefined ? one : resolve(document, one.$ref);
        return !named.has(name);
      });
      const responses = { ...before[method]?.responses, ...rest.responses };
      paths[path][method] = { ...before[method], ...rest, responses, parameters: [...kept, ...parameters] };
    }
  }
  const schemas = { ...document.components.schemas, ...changes.components?.schemas };
  const info = { ...document.info, version: `${document.info.version} with ${changes.info?.version ?? 'changes'}` };
  return { ...document, info, paths, components: { ...document.components, schemas } };
}

function content(schema) {
  return { content: { 'application/json': { schema: shapeOf(schema) } } };
}

function resolve(document, ref) {
  return ref
    .slice(2)
    .split('/')
    .reduce((value, key) => value[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

function sorted(object) {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
}
