/** One operation of the reference: what it is for, what it takes and answers, and beside it the same as code. */

import { html, type Markup } from '../../../core/markup.ts';
import { exampleOf, type JsonSchema } from '../../openapi/reference/example-value.ts';
import { codeBlock, codeTabs } from '../page/code-samples.ts';
import { renderLine } from '../page/render-markdown.ts';
import { type DescribedApi, type Media, needsKey, type Operation, resolveSchema } from './described-api.ts';
import { renderField, renderFields } from './render-fields.ts';
import { requestSamples } from './request-samples.ts';

const PLACES: Readonly<Record<string, string>> = { path: 'In the path', query: 'In the query', header: 'Headers' };
const EXAMPLE_LINES = 60;

export function renderOperation(api: DescribedApi, operation: Operation): Markup {
  const { operationId, summary, description, method, path, parameters = [], requestBody, responses } = operation;
  const body = Object.values(requestBody?.content ?? {})[0];
  const answers = Object.entries(responses).filter(([status]) => status < '300');
  const refusals = Object.entries(responses).filter(([status]) => status >= '400');
  return html`<section class="operation" aria-labelledby="${operationId}">
<div class="text">
<h2 id="${operationId}"><a class="anchor" href="#${operationId}">${summary}</a></h2>
<p class="route"><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
${paragraphs(description === `${summary}.` ? undefined : description)}
<p class="access">${accessOf(operation)}</p>
${Object.entries(PLACES).map(([place, title]) => {
  const there = parameters.filter((one) => one.in === place);
  return there.length === 0
    ? null
    : html`<h3>${title}</h3><ul class="fields">${there.map(({ name, required, description: meaning, schema = {} }) =>
        renderField(api, { name, field: { ...schema, description: meaning }, isRequired: required === true, depth: 0 }),
      )}</ul>`;
})}
${body?.schema === undefined ? null : html`<h3>Body</h3>${renderFields(api, body.schema)}`}
${answers.map(([status, { content = {} }]) => renderAnswer(api, status, content))}
<h3>Refusals</h3>
<ul class="fields">${refusals.map(
    ([status, { content = {} }]) =>
      html`<li><a href="/docs/guides/errors#status-${status}"><code>${status}</code></a> ${codesOf(content).map((code) => html`<code>${code}</code> `)}</li>`,
  )}</ul>
</div>
<div class="beside">
${codeTabs(requestSamples(operation))}
${answers.slice(0, 1).map(([status, { content = {} }]) => renderExample(status, content))}
</div>
</section>
`;
}

/** A webhook event: what is sent to the operator. */
export function renderWebhook(api: DescribedApi, type: string): Markup {
  const post = api.webhooks[type]?.post;
  const schema = post?.requestBody?.content['application/json']?.schema ?? {};
  const id = type.replaceAll('.', '-');
  const example = exampleOf(schema, (reference) => resolveSchema(api, { $ref: reference }) as JsonSchema);
  return html`<section class="operation" aria-labelledby="${id}">
<div class="text">
<h2 id="${id}"><a class="anchor" href="#${id}"><code>${type}</code></a></h2>
<p>${renderLine(post?.summary ?? '')}</p>
<h3>Headers</h3>
<ul class="fields">${(post?.parameters ?? []).map(({ name, description, schema: kind = {} }) =>
    renderField(api, { name, field: { ...kind, description }, isRequired: true, depth: 0 }),
  )}</ul>
<h3>Body</h3>${renderFields(api, schema)}
</div>
<div class="beside">${codeBlock({ language: 'json', code: JSON.stringify(example, null, 2) }, 'Example')}</div>
</section>
`;
}

function renderAnswer(api: DescribedApi, status: string, content: Readonly<Record<string, Media>>): Markup {
  const types = Object.keys(content);
  const fields = content['application/json']?.schema;
  return html`<h3>Answer <code>${status}</code></h3>
${types.length === 0 || (types.length === 1 && types[0] === 'application/json') ? null : html`<p class="note">${types.map((type) => html`<code>${type}</code> `)}</p>`}${
  fields === undefined ? null : renderFields(api, fields)
}`;
}

/** The codes that a refusal may carry. */
function codesOf(content: Readonly<Record<string, Media>>): readonly string[] {
  const parts = content['application/json']?.schema?.allOf ?? [];
  return parts.flatMap(({ properties }) => (properties?.['error']?.enum ?? []).map(String));
}

function renderExample(status: string, content: Readonly<Record<string, Media>>): Markup | null {
  const [type, media] = Object.entries(content)[0] ?? [];
  if (type === undefined || media?.example === undefined) {
    return null;
  }
  const code = typeof media.example === 'string' ? media.example.trim() : JSON.stringify(media.example, null, 2);
  const block = codeBlock({ language: type === 'application/json' ? 'json' : 'text', code }, `Answer ${status}`);
  return code.split('\n').length > EXAMPLE_LINES ? html`<div class="tall">${block}</div>` : block;
}

function paragraphs(text: string | undefined): Markup[] {
  return (text ?? '')
    .split('\n\n')
    .filter((part) => part !== '' && !part.startsWith('Scopes: '))
    .map((part) => html`<p>${renderLine(part)}</p>`);
}

function accessOf(operation: Operation): Markup {
  const { path, description = '' } = operation;
  const scopes = /Scopes: (.*)\.$/m.exec(description)?.[1];
  if (path.startsWith('/api/embed/')) {
    return html`Needs the token of an embed session: <code>Authorization: Embed …</code>`;
  }
  if (!needsKey(operation)) {
    return html`Needs no key.`;
  }
  return scopes === undefined ? html`Needs an API key.` : html`Needs an API key with ${renderLine(scopes)}.`;
}
