/** One operation of the reference: its purpose, its parameters and its responses, and beside it the same as code. */
import { ERRORS, type ErrorCode } from '../../src/core/errors.ts';
import { html, type Markup } from '../../src/core/markup.ts';
import { SESSION_RATE_LIMIT } from '../../src/embed/sessions.ts';
import { DEFAULT_RATE_LIMIT } from '../../src/operators/keys.ts';
import { codeBlock, codeTabs } from './code.ts';
import {
  type DescribedAnswer,
  type DescribedApi,
  type Example,
  type Media,
  needsKey,
  type Operation,
  operationsOf,
  type Parameter,
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
/** Every call with a key takes it, so it is described once. */
const OPERATOR_HEADER = 'x-service-operator';
const isOperatorHeader = ({ name }: Parameter) => name === OPERATOR_HEADER;

export function renderOperation(api: DescribedApi, operation: Operation): Markup {
  const { operationId, summary, description, method, path, parameters = [], requestBody, responses } = operation;
  const body = Object.values(requestBody?.content ?? {})[0];
  const answers = Object.entries(responses).filter(([status]) => status < '300');
  const refusals = Object.values(responses).flatMap((one) => ownRefusals(api, operation, one));
  return html`<section class="operation" aria-labelledby="${operationId}">
<div class="text">
<h2 id="${operationId}"><a class="anchor" href="#${operationId}">${summary}</a></h2>
<p class="route"><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
${paragraphs(description === `${summary}.` ? undefined : description)}
<p class="access">${accessOf(operation)} ${limitsOf(operation)}</p>
${Object.entries(PLACES).map(([place, title]) => {
  const there = parameters.filter((one) => one.in === place && !isOperatorHeader(one));
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
${answers.toReversed().map(([status, { content = {} }]) => renderExamples(status, content))}
${refusals.length === 0 ? null : html`<h3 class="examples">Refusals</h3>${refusals.map((one) => foldedExample('json', one, false))}`}
</div>
</section>
`;
}

/** A webhook event: the message to the operator. */
export function renderWebhook(api: DescribedApi, type: string): Markup {
  const post = api.webhooks[type]?.post;
  const media = post?.requestBody?.content['application/json'];
  const id = type.replaceAll('.', '-');
  return html`<section class="operation" aria-labelledby="${id}">
<div class="text">
<h2 id="${id}"><a class="anchor" href="#${id}"><code>${type}</code></a></h2>
<p>${renderLine(post?.summary ?? '')}</p>
<h3>Headers</h3>
<ul class="fields">${(post?.parameters ?? []).map(({ name, description, schema: kind = {} }) =>
    renderField(api, { name, field: { ...kind, description }, isRequired: true, depth: 0 }),
  )}</ul>
<h3>Body</h3>${renderFields(api, media?.schema ?? {})}
</div>
<div class="beside">${Object.values(media?.examples ?? {}).map((one, index) => foldedExample('json', one, index === 0))}</div>
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

/** The refusals of this operation. Those of all calls with the same credential stand on a page of their own. */
function renderErrors(api: DescribedApi, operation: Operation): Markup {
  const common = commonCodes(api, operation);
  const own = codesOf(operation).filter((code) => !common.includes(code));
  return html`<h3>Errors</h3>
${own.length === 0 ? html`<p>Only those that all calls have.</p>` : errorList(own)}`;
}

/** The page of what all operations share: headers of requests and responses, and the refusals by kind of credential. */
export function renderCommon(apis: readonly DescribedApi[]): Markup {
  const headers = Object.assign(
    {},
    ...apis.map(({ components }) => components.headers),
  ) as DescribedApi['components']['headers'];
  const operator = apis
    .flatMap(operationsOf)
    .flatMap(({ parameters = [] }) => parameters.find(isOperatorHeader) ?? [])[0];
  return html`<section class="operation" aria-labelledby="acting-for-another-operator">
<div class="text">
<h2 id="acting-for-another-operator"><a class="anchor" href="#acting-for-another-operator">Acting for another operator</a></h2>
<p>Every call with an API key takes this header.</p>
<ul class="fields">${apis.slice(0, 1).map((api) =>
    renderField(api, {
      name: OPERATOR_HEADER,
      field: { ...operator?.schema, description: operator?.description },
      isRequired: false,
      depth: 0,
    }),
  )}</ul>
</div>
</section>
<section class="operation" aria-labelledby="response-headers">
<div class="text">
<h2 id="response-headers"><a class="anchor" href="#response-headers">Response headers</a></h2>
<p>Each call lists those that its responses have.</p>
<ul class="fields">${Object.entries(headers).map(
    ([name, { description }]) => html`<li><code class="name">${name}</code><p>${renderLine(description)}</p></li>`,
  )}</ul>
</div>
</section>
${apis.flatMap(renderCommonErrors)}`;
}

/** The refusals that all calls with the same credential share, once for each kind of credential. */
function renderCommonErrors(api: DescribedApi): Markup[] {
  const kinds = Map.groupBy(operationsOf(api), credentialOf);
  return [...kinds]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([credential, [operation]]) => {
      const codes = operation === undefined ? [] : commonCodes(api, operation);
      if (operation === undefined || codes.length === 0) {
        return [];
      }
      const id = `errors-${credential.replaceAll(' ', '-').toLowerCase()}`;
      const examples = Object.values(operation.responses)
        .flatMap(examplesOf)
        .filter((one) => codes.includes(codeOf(one)));
      return [
        html`<section class="operation" aria-labelledby="${id}">
<div class="text">
<h2 id="${id}"><a class="anchor" href="#${id}">Errors common to all calls ${credential}</a></h2>
${errorList(codes)}
</div>
<div class="beside">${examples.map((one) => foldedExample('json', one, false))}</div>
</section>
`,
      ];
    });
}

/** Examples of refusals that not all calls share. */
function ownRefusals(api: DescribedApi, operation: Operation, response: DescribedAnswer): Example[] {
  const common = commonCodes(api, operation);
  return examplesOf(response)
    .filter((one) => codeOf(one) !== '' && !common.includes(codeOf(one)))
    .map((one) => (codeOf(one) === 'insufficient_scope' ? withScopes(one, operation) : one));
}

/** Adds the scopes of the operation, which the document cannot have in a refusal that operations share. */
function withScopes({ summary, value }: Example, operation: Operation): Example {
  const scopes = [...(scopesOf(operation) ?? '').matchAll(/`([^`]+)`/g)].map(([, scope]) => scope);
  return { summary, value: { ...(value as object), required: scopes, missing: scopes } };
}

function examplesOf({ content = {} }: DescribedAnswer): Example[] {
  return Object.values(content).flatMap(({ examples = {} }) => Object.values(examples));
}

function codeOf({ value }: Example): string {
  return typeof value === 'object' && value !== null && 'error' in value ? String(value.error) : '';
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
    .filter((one) => credentialOf(one) === credentialOf(operation))
    .map((one) => new Set(codesOf(one)));
  return alike.length < 2 ? [] : codesOf(operation).filter((code) => alike.every((codes) => codes.has(code)));
}

function credentialOf(operation: Operation): string {
  return needsKey(operation)
    ? 'with an API key'
    : needsSession(operation)
      ? 'with an embed token'
      : 'without a credential';
}

function codesOf({ responses }: Operation): readonly string[] {
  return Object.entries(responses).flatMap(([, { content = {} }]) => {
    const parts = content['application/json']?.schema?.allOf ?? [];
    return parts.flatMap(({ properties }) => (properties?.['error']?.enum ?? []).map(String));
  });
}

/** One example is shown as it is; of several, each opens on demand. */
function renderExamples(status: string, content: Readonly<Record<string, Media>>): Markup[] {
  return Object.entries(content).flatMap(([type, { examples = {} }]) => {
    const all = Object.values(examples);
    const [first, ...others] = all;
    const language = type === 'application/json' ? 'json' : 'text';
    if (first === undefined) {
      return [];
    }
    return others.length === 0
      ? [exampleBlock(language, first.value, `Response ${status}: ${first.summary}`)]
      : [
          html`<h3 class="examples">Responses ${status}</h3>`,
          ...all.map((one, index) => foldedExample(language, one, index === 0)),
        ];
  });
}

function foldedExample(language: string, { summary, value }: Example, isOpen: boolean): Markup {
  return html`<details class="example"${isOpen ? html` open` : null}><summary>${renderLine(summary)}</summary>${exampleBlock(language, value)}</details>`;
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

function scopesOf({ description = '' }: Operation): string | undefined {
  return /Scopes: (.*)\.$/m.exec(description)?.[1];
}

function accessOf(operation: Operation): Markup {
  const scopes = scopesOf(operation);
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
