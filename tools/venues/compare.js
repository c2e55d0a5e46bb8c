/** The differences between the shapes of two documents, one line for each field, word, parameter or route. Pure. */

/**
 * @param before shapes that we keep @param after shapes of the same routes in a newer document
 * @returns lines with `where` (`Market.status`), `name` (the word by which our files know it) and `what` (in words)
 */
export function differences(before, after) {
  const found = [];
  const say = (where, name, what) => found.push({ where, name, what });
  for (const [path, methods] of Object.entries(before.paths)) {
    for (const [method, route] of Object.entries(methods)) {
      const where = `${method.toUpperCase()} ${path}`;
      const name = lastWord(path);
      const other = after.paths[path]?.[method];
      if (other === undefined) {
        say(where, name, 'is gone');
        continue;
      }
      compareParameters(where, route.parameters, other.parameters, say);
      for (const [status, answer] of Object.entries(route.responses)) {
        if (other.responses[status] === undefined) {
          say(where, name, `does not answer ${status} any more`);
        } else {
          compareSchema(`${where} ${status}`, schemaOf(answer), schemaOf(other.responses[status]), say);
        }
      }
      compareSchema(`${where} body`, schemaOf(route.requestBody), schemaOf(other.requestBody), say);
    }
  }
  for (const [name, schema] of Object.entries(before.components.schemas)) {
    const other = after.components.schemas[name];
    if (other === undefined) {
      say(name, name, 'is gone');
    } else {
      compareSchema(name, schema, other, say);
    }
  }
  return found;
}

function compareParameters(where, before, after, say) {
  const old = new Map(before.map((one) => [one.name, one]));
  const now = new Map(after.map((one) => [one.name, one]));
  for (const name of old.keys()) {
    if (!now.has(name)) {
      say(`${where} ?${name}`, name, 'is gone');
    }
  }
  for (const [name, one] of now) {
    if (!old.has(name)) {
      say(`${where} ?${name}`, name, one.required ? 'is new and required' : 'is new');
    } else {
      compareSchema(`${where} ?${name}`, old.get(name).schema, one.schema, say, name);
    }
  }
}

/** @param name of the field that has this schema; undefined for a schema of its own */
function compareSchema(where, before = {}, after = {}, say, name = lastWord(where)) {
  const type = (schema) => schema.$ref?.split('/').at(-1) ?? [schema.type ?? 'any'].flat().join(' or ');
  if (type(before) !== type(after)) {
    say(where, name, `was ${type(before)}, is ${type(after)}`);
  }
  if ((before.nullable ?? false) !== (after.nullable ?? false)) {
    say(where, name, after.nullable ? 'may be null' : 'is never null');
  }
  const [old, now] = [before.enum ?? [], after.enum ?? []];
  for (const word of now.filter((one) => !old.includes(one) && before.enum !== undefined)) {
    say(where, name, `has the new word "${word}"`);
  }
  for (const word of old.filter((one) => !now.includes(one) && after.enum !== undefined)) {
    say(where, name, `has no word "${word}" any more`);
  }
  for (const field of new Set([...Object.keys(before.properties ?? {}), ...Object.keys(after.properties ?? {})])) {
    const [one, other] = [before.properties?.[field], after.properties?.[field]];
    const required = (schema) => schema.required?.includes(field) ?? false;
    if (other === undefined) {
      say(`${where}.${field}`, field, 'is gone');
    } else if (one === undefined) {
      say(`${where}.${field}`, field, `is new${required(after) ? ' and required' : ''}`);
    } else {
      compareSchema(`${where}.${field}`, one, other, say, field);
      if (required(before) !== required(after)) {
        say(`${where}.${field}`, field, required(after) ? 'is required now' : 'may be missing now');
      }
    }
  }
  if (before.items !== undefined || after.items !== undefined) {
    compareSchema(`${where}[]`, before.items, after.items, say, name);
  }
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const length = Math.max(before[key]?.length ?? 0, after[key]?.length ?? 0);
    for (let index = 0; index < length; index += 1) {
      compareSchema(where, before[key]?.[index], after[key]?.[index], say, name);
    }
  }
}

function schemaOf(answer) {
  return answer?.content?.['application/json']?.schema;
}

function lastWord(text) {
  return text.match(/[A-Za-z_]+/g)?.at(-1) ?? text;
}
