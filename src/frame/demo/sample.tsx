/** The code that an operator needs for what the demo shows, as programs that run when they are pasted into the folder of this service. */
import { signal } from '@preact/signals';
import { readBoot } from '../boot.ts';
import { worn } from './clothes.tsx';
import { curlSample, nodeSample, pythonSample, type SampleSubject } from './sample-programs.ts';
import './sample.css';

const LANGUAGES = ['Node', 'Python', 'curl'] as const;
type Language = (typeof LANGUAGES)[number];

const open = signal(false);
const language = signal<Language>('Node');
const copied = signal(false);
const { slug = 'YOUR-SLUG' } = readBoot<{ slug?: string }>();

const PROGRAMS: Readonly<Record<Language, (subject: SampleSubject) => string>> = {
  Node: nodeSample,
  Python: pythonSample,
  curl: curlSample,
};

/** For programs that serve a page: how to run it, and where to look. */
const RUN: Readonly<Record<Language, string>> = {
  Node: 'Save it as page.mjs in the folder where you ran npm start, run “node page.mjs”, and open http://127.0.0.1:3000.',
  Python:
    'Save it as page.py in the folder where you ran npm start, run “python3 page.py”, and open http://127.0.0.1:3000.',
  curl: 'Run it in the folder where you ran npm start. Your server does the same for the customer who is signed in.',
};

export function Sample() {
  const code = PROGRAMS[language.value]({ service: location.origin, slug, theme: worn.value.theme });
  return (
    <section class="sample">
      <div class="sample-head">
        <div>
          <h2>Put it into your page</h2>
          <p class="explain">One call from your server, one element and one message in your page. This is all of it.</p>
        </div>
        <p class="row">
          <button
            type="button"
            class="main"
            aria-expanded={open.value}
            onClick={() => {
              open.value = !open.value;
            }}
          >
            {open.value ? 'Hide the code' : 'Show the code'}
          </button>
          <a href="/docs/guides/embed">Guide</a>
        </p>
      </div>
      {open.value && (
        <>
          <div class="tabs">
            <div class="row" role="group" aria-label="Language of the sample">
              {LANGUAGES.map((one) => (
                <button
                  type="button"
                  key={one}
                  aria-pressed={language.value === one}
                  onClick={() => {
                    language.value = one;
                    copied.value = false;
                  }}
                >
                  {one}
                </button>
              ))}
            </div>
            <button type="button" class="copy" onClick={() => void copy(code)}>
              {copied.value ? 'Copied' : 'Copy'}
            </button>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it */}
          <pre tabIndex={0}>
            <code>{code}</code>
          </pre>
          <p class="explain">{RUN[language.value]}</p>
        </>
      )}
    </section>
  );
}

async function copy(code: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(code);
    copied.value = true;
  } catch {
    // The browser does not allow it; the code can still be selected.
  }
}
