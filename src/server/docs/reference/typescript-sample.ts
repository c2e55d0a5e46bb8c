/** A request in TypeScript: with the typed client where a key is sent, else with `fetch`. */
import { needsKey, type Operation } from './described-api.ts';
import { addressOf, BASE, headersOf, type SampleRequest, USER } from './sample-request.ts';

/** What a TypeScript sample does with an answer that is not JSON. */
const PRINT = {
  lines: 'for await (const chunk of answer.body ?? []) {\n  process.stdout.write(chunk);\n}',
  file: 'console.log(await answer.text());',
} as const;

export function typescript(sample: SampleRequest): string {
  return sample.isEmbed || !needsKey(sample.operation) ? fetched(sample) : called(sample);
}

function fetched(sample: SampleRequest): string {
  const headers = headersOf(sample, '$' + '{token}').map(([name, value]) =>
    name === 'Authorization' ? `    ${name}: \`${value}\`,` : `    '${name}': '${value}',`,
  );
  const options = [
    ...(sample.operation.method === 'GET' ? [] : [`  method: '${sample.operation.method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(sample.body === undefined ? [] : [`  body: JSON.stringify(${indented(sample.body, 1)}),`]),
  ];
  const answer = `const answer = await fetch('${BASE}${addressOf(sample)}'${options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`});`;
  return `${answer}\n${sample.answer === 'json' ? 'console.log(await answer.json());' : PRINT[sample.answer]}`;
}

function called(sample: SampleRequest): string {
  const { operation, query, body, hasUser } = sample;
  const options = [
    ...(operation.path.includes('{id}') ? [`  path: { id: '${sample.id}' },`] : []),
    ...(Object.keys(query).length === 0 ? [] : [`  query: ${queryText(operation, query)},`]),
    ...(hasUser ? [`  user: '${USER}',`] : []),
    ...(body === undefined ? [] : [`  body: ${indented(body, 1)},`]),
  ];
  const method = sample.answer === 'json' ? operation.method.toLowerCase() : 'stream';
  const call = `await client.${method}('${operation.path}'${options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`})`;
  return `const answer = ${call};\n${sample.answer === 'json' ? 'console.log(answer);' : PRINT[sample.answer]}`;
}

/** Numbers are numbers for the typed client. */
function queryText({ parameters = [] }: Operation, query: Readonly<Record<string, string>>): string {
  const entries = Object.entries(query).map(([name, value]) => {
    const type = parameters.find((one) => one.name === name)?.schema?.type;
    return `${name}: ${type === 'integer' || type === 'number' ? value : `'${value}'`}`;
  });
  return `{ ${entries.join(', ')} }`;
}

function indented(value: unknown, depth: number): string {
  return JSON.stringify(value, null, 2)
    .replace(/"([a-zA-Z]\w*)":/g, '$1:')
    .replaceAll('"', "'")
    .replaceAll('\n', `\n${'  '.repeat(depth)}`);
}
