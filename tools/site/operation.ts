/** One operation of the reference: its purpose, its parameters and its responses, and beside it the same as code. */
import { ERRORS, type ErrorCode } from '../../src/core/errors.ts';
import { html, type Markup } from '../../src/core/markup.ts';
import { SESSION_RATE_LIMIT } from '../../src/embed/sessions.ts';
import { DEFAULT_RATE_LIMIT } from '../../src/operators/keys.ts';
import { exampleOf, type JsonSchema } from '../../src/server/openapi/reference.ts';
import { codeBlock, codeTabs } from './code.ts';
import {
  type DescribedAnswer,
  type DescribedApi,
  type Media,
  needsKey,
  type Operation,
  operationsOf,
  resolveSchema,
} from './described-api.ts';
import { renderField, renderFields } from './fields.ts';
import { renderLine } from './markdown.ts';
import { requestSamples } from './request-samples.ts';

const PLACES: Readonly<Record<string, string>> = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Request headers',
};
const EXAMPLE_LINES = 40;

export function renderOperation(api: DescribedApi, operation: Operation): Markup {
  const { operationId, summary, description, method, path, parameters = [], requestBody, responses } = operation;
  const body = Object.values(requestBody?.content ?? {})[0];
  const answers = Object.entries(responses).filter(([status]) => status < '300');
  return html`<section class="operation" aria-labelledby="${operationId}">
<div class="text">
<h2 id="${operationId}"><a class="anchor" href="#${operationId}">${summary}</a></h2>
<p class="route"><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
${paragraphs(description === `${summary}.` ? undefined : description)}
<p class="access">${accessOf(operation)} ${limitsOf(operation)}</p>
${Object.entries(PLACES).map(([place, title]) => {
  const there = parameters.filter((one) => one.in === place);
  return there.length === 0
    ? null
    : html`<h3>${title}</h3><ul class="fields">${there.map(({ name, required, description: meaning, schema = {} }) =>
        renderField(api, { name, field: { ...schema, description: meaning }, isRequired: required === true, depth: 0 }),
      )}</ul>`;
})}
${body?.schema === undefined ? null : html`<h3>Request body</h3>${renderFields(api, body.schema)}`}
${answers.map(([status, answer]) => renderAnswer(api, status, answer))}
${renderHeaders(api, operation)}
${renderErrors(api, operation)}
</div>
<div class="beside">
${codeTabs(requestSamples(operation))}
${answers.slice(0, 1).map(([status, { content = {} }]) => renderExamples(status, content))}
</div>
</section>
`;
}

/** A webhook event: the message to the operator. */
export function renderWebhook(api: DescribedApi, type: string): Markup {
  const post = api.webhooks[type]?.post;
  const media = post?.requestBody?.content['application/json'];
  const schema = media?.schema ?? {};
  const id = type.replaceAll('.', '-');
  const example =
    media?.example ?? exampleOf(schema, (reference) => resolveSchema(api, { $ref: reference }) as JsonSchema);
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
<div class="beside">${exampleBlock('json', example, 'Example')}</div>
</section>
`;
}

function renderAnswer(api: DescribedApi, status: string, { content = {} }: DescribedAnswer): Markup {
  const types = Object.keys(content);
  const fields = content['application/json']?.schema;
  return html`<h3>Response <code>${status}</code></h3>
${types.length === 0 || (types.length === 1 && types[0] === 'application/json') ? null : html`<p class="note">${types.map((type) => html`<code>${type}</code> `)}</p>`}${
  fields === undefined ? null : renderFields(api, fields)
}`;
}

/** The headers of all responses, also of refusals, each with the statuses that have it. */
function renderHeaders(api: DescribedApi, { responses }: Operation): Markup | null {
  const statuses = Map.groupBy(
    Object.entries(responses).flatMap(([status, { headers = {} }]) =>
      Object.entries(headers).map(([name, { description }]) => ({ name, status, description })),
    ),
    ({ name }) => name,
  );
  if (statuses.size === 0) {
    return null;
  }
  return html`<h3>Response headers</h3>
<details class="more"><summary>${[...statuses.keys()].join(', ')}</summary><ul class="fields">${[...statuses].map(
    ([name, having]) => {
      const meaning = having[0]?.description ?? api.components.headers[name]?.description ?? '';
      return html`<li><code class="name">${name}</code> <span class="kind">${having.map(({ status }) => status).join(', ')}</span><p>${renderLine(meaning)}</p></li>`;
    },
  )}</ul></details>`;
}

/** The refusals of this operation. Those of all calls with the same credential stand once on the page. */
function renderErrors(api: DescribedApi, operation: Operation): Markup {
  const common = commonCodes(api, operation);
  const own = codesOf(operation).filter((code) => !common.includes(code));
  return html`<h3>Errors</h3>
${own.length === 0 ? null : errorList(own)}
${common.length === 0 ? null : html`<p><a href="#${commonId(operation)}">Errors common to all calls</a></p>`}`;
}

/** The refusals that all calls with the same credential share, once for each kind of credential among these operations. */
export function renderCommonErrors(api: DescribedApi, operations: readonly Operation[]): Markup[] {
  const kinds = new Map(operations.map((operation) => [kindOf(operation), operation]));
  return [...kinds.values()].flatMap((operation) => {
    const codes = commonCodes(api, operation);
    return codes.length === 0
      ? []
      : [
          html`<section class="operation" aria-labelledby="${commonId(operation)}">
<div class="text">
<h2 id="${commonId(operation)}"><a class="anchor" href="#${commonId(operation)}">Errors common to all calls ${credentialOf(operation)}</a></h2>
${errorList(codes)}
</div>
</section>
`,
        ];
  });
}

function errorList(codes: readonly string[]): Markup {
  return html`<ul class="errors">${codes.map((code) => {
    const { status, message } = ERRORS[code as ErrorCode];
    return html`<li><span class="status">${status}</span> <a href="/docs/guides/errors#${code}"><code>${code}</code></a><span>${message}</span></li>`;
  })}</ul>`;
}

/** The codes that all operations with the same kind of credential share. */
function commonCodes(api: DescribedApi, operation: Operation): readonly string[] {
  const alike = operationsOf(api)
    .filter((one) => kindOf(one) === kindOf(operation))
    .map((one) => new Set(codesOf(one)));
  return alike.length < 2 ? [] : codesOf(operation).filter((code) => alike.every((codes) => codes.has(code)));
}

const kindOf = ({ security = [] }: Operation) => JSON.stringify(security);

function credentialOf(operation: Operation): string {
  return needsKey(operation)
    ? 'with an API key'
    : needsSession(operation)
      ? 'with an embed token'
      : 'without a credential';
}

const commonId = (operation: Operation) => `errors-${credentialOf(operation).replaceAll(' ', '-').toLowerCase()}`;

function codesOf({ responses }: Operation): readonly string[] {
  return Object.entries(responses).flatMap(([, { content = {} }]) => {
    const parts = content['application/json']?.schema?.allOf ?? [];
    return parts.flatMap(({ properties }) => (properties?.['error']?.enum ?? []).map(String));
  });
}

/** If a response has several shapes, such as the states of an order, each has an example. */
function renderExamples(status: string, content: Readonly<Record<string, Media>>): Markup | null {
  const [type, media] = Object.entries(content)[0] ?? [];
  if (type === undefined || media === undefined) {
    return null;
  }
  const language = type === 'application/json' ? 'json' : 'text';
  const named = Object.values(media.examples ?? {});
  if (named.length === 0) {
    return media.example === undefined ? null : exampleBlock(language, media.example, `Response ${status}`);
  }
  return html`<h3 class="examples">Responses ${status}</h3>${named.map(
    ({ summary = '', value }, index) =>
      html`<details class="example"${index === 0 ? html` open` : null}><summary>${renderLine(summary)}</summary>${exampleBlock(language, value)}</details>`,
  )}`;
}

function exampleBlock(language: string, value: unknown, title?: string): Markup {
  const code = typeof value === 'string' ? value.trim() : JSON.stringify(value, null, 2);
  const block = codeBlock({ language, code }, title);
  return code.split('\n').length > EXAMPLE_LINES ? html`<div class="tall">${block}</div>` : block;
}

function paragraphs(text: string | undefined): Markup[] {
  return (text ?? '')
    .split('\n\n')
    .filter((part) => part !== '' && !part.startsWith('Scopes: '))
    .map((part) => html`<p>${renderLine(part)}</p>`);
}

function accessOf(operation: Operation): Markup {
  const { description = '' } = operation;
  const scopes = /Scopes: (.*)\.$/m.exec(description)?.[1];
  if (needsSession(operation)) {
    return html`Requires the token of an embed session: <code>Authorization: Embed &lt;token&gt;</code>.`;
  }
  if (!needsKey(operation)) {
    return html`Requires no API key.`;
  }
  return scopes === undefined ? html`Requires an API key.` : html`Requires an API key with ${renderLine(scopes)}.`;
}

const LIMITS = '/docs/guides/access-and-limits#requests-per-minute';

/** The limit that a request counts toward; empty for calls without a key, whose limit each deployment sets. */
function limitsOf(operation: Operation): Markup | null {
  const { sandbox, live } = DEFAULT_RATE_LIMIT;
  const requests = needsKey(operation)
    ? `${sandbox} requests per minute in the sandbox, ${live} live, unless agreed otherwise`
    : needsSession(operation)
      ? `${SESSION_RATE_LIMIT} requests per minute and session`
      : undefined;
  return requests === undefined ? null : html`<a href="${LIMITS}">${requests}</a>.`;
}

function needsSession({ path }: Operation): boolean {
  return path.startsWith('/api/embed/');
}
