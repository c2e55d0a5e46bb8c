/** The fields of a shape as a list: name, kind, whether it is required, its meaning; objects inside open on demand. */
import { html, type Markup } from '../../src/core/markup.ts';
import { type DescribedApi, resolveSchema, type Schema } from './described-api.ts';
import { renderLine } from './markdown.ts';

const DEEPEST = 6;

/** @returns null for a shape without fields. */
export function renderFields(api: DescribedApi, schema: Schema, depth = 0): Markup | null {
  const shape = shapeOf(api, schema);
  const choices = shape.properties === undefined ? (shape.oneOf ?? shape.anyOf ?? []) : [];
  const variants = choices.map((one) => resolveSchema(api, one)).filter(isObject);
  if (variants.length > 1) {
    return html`<p class="note">One of ${variants.length} shapes.</p>${variants.map(
      (variant) =>
        html`<details class="inside"><summary>${nameOf(variant)}</summary>${renderFields(api, variant, depth + 1)}</details>`,
    )}`;
  }
  const fields = Object.entries(shape.properties ?? {});
  return fields.length === 0
    ? null
    : html`<ul class="fields">${fields.map(([name, field]) =>
        renderField(api, { name, field, isRequired: shape.required?.includes(name) === true, depth }),
      )}</ul>`;
}

interface Field {
  readonly name: string;
  readonly field: Schema;
  readonly isRequired: boolean;
  readonly depth: number;
}

export function renderField(api: DescribedApi, { name, field, isRequired, depth }: Field): Markup {
  const inside = depth < DEEPEST ? renderFields(api, field, depth + 1) : null;
  const text = field.description ?? resolveSchema(api, field).description;
  return html`<li><code class="name">${name}</code> <span class="kind">${kindOf(api, field)}</span>${
    isRequired ? null : html` <span class="optional">optional</span>`
  }${text === undefined || text === '' ? null : html`<p>${renderLine(text)}</p>`}${choicesOf(api, field)}${
    inside === null
      ? null
      : html`<details class="inside"><summary>Fields of <code>${name}</code></summary>${inside}</details>`
  }</li>`;
}

/** Through references, arrays and "or null" to the shape itself. */
function shapeOf(api: DescribedApi, schema: Schema): Schema {
  const target = resolveSchema(api, schema);
  const choices = (target.anyOf ?? target.oneOf ?? []).filter(({ type }) => type !== 'null');
  if (target.properties === undefined && choices.length === 1 && choices[0] !== undefined) {
    return shapeOf(api, choices[0]);
  }
  return typeof target.items === 'object' ? shapeOf(api, target.items) : target;
}

const isObject = ({ properties }: Schema) => properties !== undefined;

/** The name of a variant is the one value that its `type` has. */
function nameOf({ properties }: Schema): string {
  const values = Object.values(properties ?? {}).find((field) => field.const !== undefined);
  return values === undefined ? 'Fields' : String(values.const);
}

function kindOf(api: DescribedApi, schema: Schema): string {
  const target = resolveSchema(api, schema);
  const choices = target.anyOf ?? target.oneOf;
  if (choices !== undefined) {
    const kinds = [...new Set(choices.map((one) => kindOf(api, one)))];
    const last = kinds.includes('null') ? ' or null' : '';
    return `${kinds.filter((kind) => kind !== 'null').join(' or ')}${last}`;
  }
  if (target.const !== undefined || target.enum !== undefined) {
    return 'string';
  }
  const type = typeof target.type === 'string' ? target.type : (target.type?.join(' or ') ?? 'any');
  if (type === 'array') {
    return typeof target.items === 'object' ? `list of ${kindOf(api, target.items)}` : 'list';
  }
  return target.format === 'date-time' ? 'timestamp' : type;
}

function choicesOf(api: DescribedApi, schema: Schema): Markup | null {
  const target = resolveSchema(api, schema);
  const all = [target, ...(target.anyOf ?? [])];
  const values = all
    .flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const]))
    .filter((one) => one !== '');
  return values.length === 0
    ? null
    : html`<p class="values">${values.map((value) => html`<code>${String(value)}</code> `)}</p>`;
}
