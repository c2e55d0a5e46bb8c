/** The page of the tools of a partner and their downloads, with sizes, sums and contents. Its files are made by `tools/downloads`. */
import { type Download, SUMS, sumsOf } from '../downloads/downloads.ts';
import { SAMPLE_ORIGIN } from './code.ts';

/** Names that are shown of one archive; the rest is counted. */
const SHOWN = 80;

/** @returns Markdown */
export function downloadsPage(downloads: readonly Download[], folder: string): string {
  const find = (beginning: string) => downloads.find(({ name }) => name.startsWith(beginning))?.name;
  const address = (name?: string) => `${SAMPLE_ORIGIN}${folder}/${name}`;
  return `Every file here was built with this service and fits its version. You need neither the source of the service nor an account at a registry.

## Which tool

| you want to | take |
|---|---|
| call the API from Node 22.18 or newer, or TypeScript | [the typed client](#typescript-and-javascript), an SDK without dependencies |
| call the API from Python 3.9 or newer | [\`inlay.py\`](#python), an SDK in one file |
| call the API from another language | a client that you [generate](#other-languages) |
| try a call, look something up, write a script | [the command line](#the-command-line), with Node 22.18 or newer; \`--json\` prints one JSON document |
| receive webhooks on your own machine | [\`inlay webhooks listen\`](/docs/cli/testing#inlay-webhooks-listen), which prints each delivery and can forward it |
| test rare outcomes, such as a partial fill | [scenarios](/docs/guides/sandbox-scenarios) and [scenario files](#scenario-files), with [\`inlay sandbox run\`](/docs/cli/testing#inlay-sandbox-run) |
| check your own ledger and endpoint | [\`inlay conformance operator\`](/docs/cli/testing#inlay-conformance-operator) |
| read a complete integration | [an example operator](#python), written in Python |
| verify a stored feed without the service | [\`verify.py\`](${folder}/verify.py) |
| read this documentation with a program | [the index of all pages as Markdown](/llms.txt) |

## Files

| file | what it is | size |
|---|---|---|
${downloads.map(({ name, about, content }) => `| [\`${name}\`](${folder}/${name}) | ${about} | ${sizeOf(content)} |`).join('\n')}

## Python

Copy \`inlay.py\` beside your program. [The Python client](/docs/guides/python) describes it.

\`\`\`sh
curl -O ${address('inlay.py')}
\`\`\`

The example operator uses the same file. Its README explains each part:

\`\`\`sh
curl ${address(find('inlay-operator-python-'))} | tar xz
\`\`\`

## TypeScript and JavaScript

\`\`\`sh
npm install ${address(find('inlay-client-'))}
npm pkg set type=module                       # the samples are modules; or name their files .mts
\`\`\`

It needs Node 22.18 or newer. [The typed client](/docs/guides/client) describes it.

## Other languages

Generate a client from the [OpenAPI 3.1 document](/openapi.json), which has every call, error and webhook. Configure the generator so that it reads JSON numbers as decimals, not as floats. It leaves these parts to you: [the signature of a webhook](/docs/guides/webhooks#verify-and-answer), [the retries](/docs/guides/conventions#retries) and, if you book from the feed, [its reader](/docs/guides/reconciliation#read-the-feed).

## The command line

It needs Node 22.18 or newer and no other package. \`node --version\` shows yours; nodejs.org and version managers such as nvm (\`nvm install 22\`) have newer ones.

\`\`\`sh
npm install --global ${address(find('inlay-cli-'))}
inlay login --api-url ${SAMPLE_ORIGIN}        # asks for your key, and stores it in a profile
inlay events list
\`\`\`

Commands that use the database of the service are for the service operator. This package does not contain them.

## Scenario files

\`\`\`sh
curl ${address(find('inlay-scenarios-'))} | tar xz
inlay sandbox run inlay-scenarios/*.yaml
\`\`\`

## SHA-256

[\`${SUMS}\`](${folder}/${SUMS}) has the same lines, for \`sha256sum --check\`. A build of the same source makes the same files.

\`\`\`
${sumsOf(downloads)}\`\`\`

## Contents

A README that explains an archive is not listed.

${downloads
  .filter(({ contents }) => contents.length > 0)
  .map(({ name, contents }) => `- \`${name}\`: ${listOf(contents)}`)
  .join('\n')}
`;
}

function sizeOf({ length }: Buffer): string {
  return `${Math.ceil(length / 1000)} KB`;
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `\`${name}\``);
  const rest = names.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
